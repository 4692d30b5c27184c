-- builds: top_labels
-- reads: lookup_<column>
-- one row: label of the last level, which must have exactly one label
select
    level_3 as label,
    count(*) as leaves
from "lookup_age"
group by level_3
order by leaves desc, label
