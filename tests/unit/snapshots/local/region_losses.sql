-- builds: region_losses
-- reads: placements, regions, verdicts, labels_<column>
-- one row: quasi-identifier: the losses of its cells, summed over the rows (a suppressed cell loses everything), and the bits that are withheld
with shown as (
    select
        placements._rows,
        regions._level_1 as level,
        verdicts._fails,
        regions."age" as label,
        regions._loss_1 as range_loss,
        regions._leaf_loss_1 as loss,
        regions._under_1 as label_rows,
        own._rows as value_rows
    from placements
    join regions
        on placements._region = regions._region
    join verdicts
        on placements._class_number = verdicts._class_number
    join "labels_age" as own
        on own.level = 0
        and own.code = placements."age"
    where placements._rows > 0
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
    sum(shown._rows * (log2(shown.label_rows) - log2(shown.value_rows))) + max(withheld.bits) as bits,
    sum(case when shown._fails then shown._rows else shown._rows * cast([0.0, 0.3333333333333333, 0.6666666666666666, 1.0][shown.level + 1] as double) end) as imprecision,
    null as distortion
from shown
cross join withheld
