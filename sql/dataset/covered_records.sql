-- builds: records
-- reads: source, outside_<column>
-- one row: input row that takes part: the rule for missing values is applied, and rows with values that the recoding does not cover are left out
with known as (
{% include "dataset/records.sql" +%}
)

select *
from known
{% for column in outside %}
{{ "where" if loop.first else "  and" }} not exists (
    select 1
    from {{ ("outside_" ~ column) | ident }} as outside
    where outside.value = known.{{ column | ident }}
)
{% endfor %}
