-- builds: unfit_population
-- reads: population_file
-- one row: the population: for each quasi-identifier the rows whose number the type in the input cannot hold
select
    {% for column in columns %}
    count(*) filter (where {{ column.name | ident }} is not null and coalesce(try_cast({{ column.name | ident }} as {{ column.type }}) <> {{ column.name | ident }}, true)) as unfit_{{ loop.index }}{{ "," if not loop.last }}
    {% endfor %}
from population_file
