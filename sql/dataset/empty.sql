-- builds: empty
-- reads: nothing; there is no data
-- one row: none; the relation has columns and types only
select
    {% for column in columns %}
    cast(null as {{ column.type }}) as {{ column.name | ident }}{{ "," if not loop.last }}
    {% endfor %}
where false
