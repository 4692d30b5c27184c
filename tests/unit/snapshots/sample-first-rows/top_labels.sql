-- builds: top_labels
-- reads: lookup_<column>
-- one row: label of the last level, of which there must be one
select
    level_1 as label,
    count(*) as leaves
from "lookup_sex"
group by level_1
order by leaves desc, label
