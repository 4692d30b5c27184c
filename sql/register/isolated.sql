-- builds: isolated
-- reads: histories, intersections, differences, values_<column>
-- one row: set of values whose records the new release would isolate, as text
{% from "register/few.jinja" import in_differences, in_intersections, ranked %}
with {{ ranked(releases, "_rows", columns | map(attribute="name") | idents) }}

select
    {% for column in columns %}
    {{ "%s.text" % (("values_" ~ column.name) | ident) if column.is_coded else "ranked.%s" % (column.name | ident) }} as {{ column.name | ident }},
    {% endfor %}
    cast(sum(ranked._rows) as bigint) as _rows
from ranked
{% for column in columns if column.is_coded %}
join {{ ("values_" ~ column.name) | ident }}
    on ranked.{{ column.name | ident }} = {{ ("values_" ~ column.name) | ident }}.code
{% endfor %}
where {{ in_intersections(releases, "ranked") }}
    or {{ in_differences(releases) }}
group by all
