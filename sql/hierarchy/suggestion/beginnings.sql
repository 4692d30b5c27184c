-- builds: beginnings
-- reads: values_<column>
-- one row: the column: for each length the number of distinct prefixes of its codes
select
    {% for length in lengths %}
    count(distinct left(text, {{ length }})) as beginnings_{{ length }}{{ "," if not loop.last }}
    {% endfor %}
from {{ ("values_" ~ column) | ident }}
where value is not null
    and not missing
