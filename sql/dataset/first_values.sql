-- builds: first_values
-- reads: records
-- one row: one of the first rows that take part, with the columns that may identify directly
select
    {% for column in columns %}
    {{ column | ident }}{{ "," if not loop.last }}
    {% endfor %}
from records
limit {{ rows }}
