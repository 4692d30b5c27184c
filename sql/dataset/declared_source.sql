-- builds: source
-- reads: nothing; there is no data
-- one row: input row, as read
select
    {% for column in columns %}
    cast(null as {{ column.type }}) as {{ column.name | ident }}{{ "," if not loop.last }}
    {% endfor %}
where false
