-- builds: person_counts
-- reads: records
-- one row: column that may identify persons, with the rows of the input, the rows with a value, the distinct values, and those with few and with some rows
{% for column in columns %}
select
    {{ loop.index0 }} as _number,
    (
        select cast(count(*) as bigint)
        from records
    ) as _rows,
    cast(sum(_filled) as bigint) as _with_value,
    cast(count(*) as bigint) as _persons,
    cast(count(*) filter (where _filled <= {{ few }}) as bigint) as _few,
    cast(count(*) filter (where _filled <= {{ many }}) as bigint) as _some
from (
    select count(*) as _filled
    from records
    where {{ column | ident }} is not null
    group by
        {{ column | ident }}
) as seen
{{ "union all" if not loop.last }}
{% endfor %}
