-- builds: lookup_<column>
-- reads: listed_<column>
-- one row: value: its text, and its group on each level
{% from "hierarchy/as_printed.jinja" import as_printed %}
select
    {{ as_printed("listed.cell_2", exact_type, type) }} as value,
    {{ as_printed("listed.cell_2", exact_type, type) }} as level_0{{ "," if height }}
    {% for level in range(1, height + 1) %}
    level_{{ level }}.cell_1 as level_{{ level }}{{ "," if not loop.last }}
    {% endfor %}
from {{ ("listed_" ~ column) | ident }} as listed
{% for level in range(1, height + 1) %}
left join {{ ("listed_" ~ column) | ident }} as level_{{ level }}
    on level_{{ level }}.cell_0 = {{ level }}
    and level_{{ level }}.cell_2 = {{ "listed.cell_2" if loop.first else "level_%d.cell_1" % (level - 1) }}
{% endfor %}
where listed.cell_0 = 0
order by listed.cell_3
