-- builds: records
-- reads: source, outside_<column>
-- one row: input row that takes part, after the rule for missing values and without values that the recoding does not cover
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
