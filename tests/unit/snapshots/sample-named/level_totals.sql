-- builds: level_totals
-- reads: labels_<column>
-- one row: level: the leaves beyond the first under its labels, summed over all rows, the sum of n log2 n over its labels, the labels in the data, and all labels
select
    level,
    cast(sum(cast(_rows as hugeint) * (leaves - 1)) as hugeint) as excess,
    coalesce(sum(_rows * log2(_rows)) filter (where _rows > 0), 0.0) as information,
    count(*) filter (where _rows > 0) as present,
    count(*) as labels
from "labels_sex"
group by level
order by level
