-- builds: sensitive_count
-- reads: sensitive_<column>
-- one row: the number of rows of the relation: sets of quasi-identifier values, each with its sensitive values
select count(*) as sensitive_count
from "sensitive_illness"
