-- builds: region_losses
-- reads: region_assignments, regions, class_results
-- one row: quasi-identifier: the losses of its cells, summed over the rows (a suppressed cell loses everything), and n log2 n of the rows under its labels
with shown as (
    select
        region_assignments._rows,
        null as level,
        class_results._fails,
        regions."age" as label,
        regions._loss_1 as range_loss,
        regions._leaf_loss_1 as loss,
        -- a label of all leaves may stand for any row
        case when regions._leaf_loss_1 = 1 then 13 else regions._label_rows_1 end as under
    from region_assignments
    join regions
        on region_assignments._region = regions._region
    join class_results
        on region_assignments._class_number = class_results._class_number
    where region_assignments._rows > 0
),

masked as (
    select
        label,
        cast(sum(_rows) as bigint) as _rows
    from shown
    where _fails
    group by label
),

withheld as (
    select coalesce(sum(_rows) * log2(sum(_rows)) - sum(_rows * log2(_rows)), 0.0) as bits
    from masked
)

select
    sum(case when shown._fails then shown._rows else shown._rows * shown.range_loss end) as range_loss,
    sum(case when shown._fails then shown._rows else shown._rows * shown.loss end) as loss,
    sum(case when shown._fails then 0 else shown._rows * shown.loss end) as loss_kept,
    sum(shown._rows * log2(shown.under)) + max(withheld.bits) as information,
    null as imprecision,
    null as distortion
from shown
cross join withheld
