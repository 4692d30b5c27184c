-- builds: top_labels
-- reads: lookup_<column>
-- one row: label of the last level, which must have exactly one label
select
    level_1 as label,
    count(*) as leaves
from "lookup_sex"
group by level_1
order by leaves desc, label
