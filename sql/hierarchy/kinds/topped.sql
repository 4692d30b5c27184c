-- builds: lookup_<column>
-- reads: listed_<column>
-- one row: value that the hierarchy places, with a level of one label above those listed
with below as (
{{ below }}
)

select
    *,
    {{ top | literal }} as level_{{ height + 1 }}
from below
