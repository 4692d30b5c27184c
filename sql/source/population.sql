-- builds: population
-- reads: the input
-- one row: row of the population that the input was taken from
{% from "source/missing.jinja" import present %}
select
    {% for column in columns %}
    try_cast({{ column.name | ident }} as {{ column.type }}) as {{ column.name | ident }}{{ "," if not loop.last }}
    {% endfor %}
from (
{{ below }}
) as opened
{{ present(dropped) }}
