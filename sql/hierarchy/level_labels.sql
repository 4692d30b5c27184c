-- builds: level_labels
-- reads: listed_<column>
-- one row: label of one level
select distinct cell_1 as label
from {{ ("listed_" ~ column) | ident }}
where cell_0 = {{ level }}
order by label
limit 10000
