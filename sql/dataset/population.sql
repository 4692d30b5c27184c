-- builds: population
-- reads: population_file
-- one row: row of the population from which the input is a sample, with its codes of missing values as NULL
{% from "dataset/missing.jinja" import present %}
{% from "dataset/readers.jinja" import unless_code with context %}
select
    {% for column in columns %}
    try_cast({{ unless_code(column.name, column.name | ident, nulls) }} as {{ column.type }}) as {{ column.name | ident }}{{ "," if not loop.last }}
    {% endfor %}
from population_file
{{ present(dropped) }}
