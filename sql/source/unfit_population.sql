-- builds: unfit_population
-- reads: population_file
-- one row: the population: per quasi-identifier the rows whose value the input's type cannot hold
select
    {% for column in columns %}
    count(*) filter (where {{ column.name | ident }} is not null and try_cast({{ column.name | ident }} as {{ column.type }}) is null) as unfit_{{ loop.index }}{{ "," if not loop.last }}
    {% endfor %}
from population_file
