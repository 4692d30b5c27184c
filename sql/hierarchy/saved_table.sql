-- builds: saved_table
-- reads: hierarchy_<column>, values_<column>
-- one row: value that the hierarchy lists, with its label on each level
with listed as (
    select *
    from {{ ("hierarchy_" ~ column) | ident }} as hierarchy
    where not exists (
        select 1
        from {{ ("values_" ~ column) | ident }} as present
        where present.missing and present.text is not distinct from hierarchy.value
    )
)

select
    value,
    {% for level in range(1, height + 1) %}
    level_{{ level }}{{ "," if not loop.last }}
    {% endfor %}
from listed
where value is not null
    -- NULL is always in the table; it is a leaf only if it was listed
    or (select count(*) from listed) = domain
    {% for level in range(1, height) %}
    or level_{{ level }} is not null
    {% endfor %}
order by value
