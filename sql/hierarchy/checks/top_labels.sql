-- builds: top_labels
-- reads: lookup_<column>
-- one row: label of the last level, of which there must be one
select
    level_{{ height }} as label,
    count(*) as leaves
from {{ ("lookup_" ~ column) | ident }}
group by level_{{ height }}
order by leaves desc, label
