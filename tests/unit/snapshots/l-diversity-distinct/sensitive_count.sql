-- builds: sensitive_count
-- reads: sensitive_<column>
-- one row: the relation: its number of rows (pairs of a set of quasi-identifier values and a sensitive value)
select count(*) as sensitive_count
from "sensitive_illness"
