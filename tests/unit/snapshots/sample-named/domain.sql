-- builds: domain
-- reads: hierarchy_<column>
-- one row: the hierarchy: its number of leaves
select coalesce(max(domain), 0) as leaves
from "hierarchy_sex"
