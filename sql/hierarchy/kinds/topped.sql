-- builds: lookup_<column>
-- reads: listed_<column>
-- one row: value that the hierarchy covers, with an added top level of one label
with below as (
{{ below }}
)

select
    *,
    {{ top | literal }} as level_{{ height + 1 }}
from below
