-- builds: first_records
-- reads: records
-- one row: one of the first input rows that take part, its cells as text
select
    {% for column in columns %}
    cast({{ column | ident }} as varchar) as {{ ("cell_" ~ loop.index) | ident }}{{ "," if not loop.last }}
    {% endfor %}
from records
limit {{ rows }}
