-- builds: population
-- reads: population_file
-- one row: row of the population from which the input is a sample
{% from "dataset/missing.jinja" import present %}
select
    {% for column in columns %}
    try_cast({{ column.name | ident }} as {{ column.type }}) as {{ column.name | ident }}{{ "," if not loop.last }}
    {% endfor %}
from population_file
{{ present(dropped) }}
