-- builds: frozen_table
-- reads: hierarchy_<column>, values_<column>
-- one row: value that the hierarchy lists, with its label on each level
select
    value,
    {% for level in range(1, height + 1) %}
    level_{{ level }}{{ "," if not loop.last }}
    {% endfor %}
from {{ ("hierarchy_" ~ column) | ident }} as hierarchy
where (value is not null{% for level in range(1, height) %} or level_{{ level }} is not null{% endfor %})
    and not exists (
        select 1
        from {{ ("values_" ~ column) | ident }} as present
        where present.missing and present.text is not distinct from hierarchy.value
    )
order by value
