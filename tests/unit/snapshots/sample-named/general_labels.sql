-- builds: general_labels
-- reads: labels_<column>
-- one row: label in the data with more than one leaf
select
    level,
    code,
    leaves,
    _rows
from "labels_sex"
where leaves > 1 and _rows > 0
order by level, code
