-- builds: top_labels
-- reads: lookup_<column>
-- one row: label of the last level, which must have exactly one label
select
    level_{{ height }} as label,
    count(*) as leaves
from {{ ("lookup_" ~ column) | ident }}
group by level_{{ height }}
order by leaves desc, label
