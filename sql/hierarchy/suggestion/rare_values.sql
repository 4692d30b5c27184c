-- builds: rare_values
-- reads: values_<column>
-- one row: the column: for each share of the rows the number of values with fewer rows
with shares as (
    select _rows / sum(_rows) over () as share
    from {{ ("values_" ~ column) | ident }}
    where value is not null
        and not missing
)

select
    {% for share in shares %}
    count(*) filter (where share < {{ share }}) as rare_{{ loop.index0 }}{{ "," if not loop.last }}
    {% endfor %}
from shares
