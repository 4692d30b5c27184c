-- builds: shown_levels
-- reads: labels_<column>
-- one row: level: its groups, the groups in the data, and the rows of the smallest and the largest of these
select
    level,
    count(*) as labels,
    count(*) filter (where _rows > 0) as present,
    min(_rows) filter (where _rows > 0) as smallest,
    max(_rows) as largest,
    cast(sum(_rows) as bigint) as _rows
from {{ ("labels_" ~ column) | ident }}
group by level
order by level
