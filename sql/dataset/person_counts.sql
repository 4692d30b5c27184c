-- builds: person_counts
-- reads: records
-- one row: the input: its rows, and for each column that may identify persons the rows with a value, and the distinct values
select
    cast(count(*) as bigint) as _rows,
    {% for column in columns %}
    cast(count({{ column | ident }}) as bigint) as {{ ("filled_" ~ loop.index0) | ident }},
    cast(count(distinct {{ column | ident }}) as bigint) as {{ ("persons_" ~ loop.index0) | ident }}{{ "," if not loop.last }}
    {% endfor %}
from records
