-- builds: level_totals
-- reads: labels_<column>, values_<column>, hierarchy_<column>
-- one row: level: the leaves beyond the first under its labels, summed over all rows, the sums of n log2 n over its labels and over the values, the labels in the data, all labels, the leaves of the hierarchy, and the codes, leaves and rows of its labels in the data with more than one leaf
with original as (
    select coalesce(sum(_rows * log2(_rows)), 0.0) as information
    from "values_age"
    where _rows > 0
),

labels as (
    select
        *,
        -- a label of all leaves may stand for any row, so that of missing values does on every level
        case when loss = 1 then sum(_rows) over (partition by level) else _rows end as under
    from "labels_age"
)

select
    level,
    cast(sum(cast(_rows as hugeint) * (leaves - 1)) as hugeint) as excess,
    coalesce(sum(_rows * log2(under)) filter (where _rows > 0), 0.0) as information,
    max(original.information) as original,
    count(*) filter (where _rows > 0) as present,
    count(*) as labels,
    (select coalesce(max(domain), 0) from "hierarchy_age") as domain,
    list(code order by code) filter (where leaves > 1 and _rows > 0) as general_codes,
    list(leaves order by code) filter (where leaves > 1 and _rows > 0) as general_leaves,
    list(_rows order by code) filter (where leaves > 1 and _rows > 0) as general_rows
from labels
cross join original
group by level
order by level
