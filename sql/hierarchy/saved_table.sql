-- builds: saved_table
-- reads: hierarchy_<column>, values_<column>
-- one row: value of the hierarchy that is not missing, NULL too, with its label on each level
select
    value,
    {% for level in range(1, height + 1) %}
    level_{{ level }}{{ "," if not loop.last }}
    {% endfor %}
from {{ ("hierarchy_" ~ column) | ident }} as hierarchy
where not exists (
    select 1
    from {{ ("values_" ~ column) | ident }} as present
    where present.missing and present.text is not distinct from hierarchy.value
)
order by value
