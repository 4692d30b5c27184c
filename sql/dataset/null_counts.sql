-- builds: null_counts
-- reads: records
-- one row: the rows that take part: for each column, those without a value
select
    {% for column in columns %}
    cast(count(*) - count({{ column | ident }}) as bigint) as {{ ("nulls_" ~ loop.index0) | ident }}{{ "," if not loop.last }}
    {% endfor %}
from records
