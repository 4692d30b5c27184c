-- builds: disclosures
-- reads: sampled_records, values_<column>, levels_<column>
-- one row: retained column and generalized quasi-identifier: how well the column predicts a finer label than the released one
with
labels_0 as (
    select
        present.value,
        present._rows,
        levels.level_1 as released,
        levels.level_0 as finer
    from "values_age" as present
    join "levels_age" as levels
        on present.code = levels.code
),

shares_0 as (
    select
        released,
        finer,
        sum(_rows) / sum(sum(_rows)) over (partition by released) as share
    from labels_0
    group by
        released,
        finer
),

labels_1 as (
    select
        present.value,
        present._rows,
        levels.level_2 as released,
        levels.level_1 as finer
    from "values_age" as present
    join "levels_age" as levels
        on present.code = levels.code
),

shares_1 as (
    select
        released,
        finer,
        sum(_rows) / sum(sum(_rows)) over (partition by released) as share
    from labels_1
    group by
        released,
        finer
),

labels_2 as (
    select
        present.value,
        present._rows,
        levels.level_3 as released,
        levels.level_2 as finer
    from "values_age" as present
    join "levels_age" as levels
        on present.code = levels.code
),

shares_2 as (
    select
        released,
        finer,
        sum(_rows) / sum(sum(_rows)) over (partition by released) as share
    from labels_2
    group by
        released,
        finer
),

labels_3 as (
    select
        present.value,
        present._rows,
        levels.level_1 as released,
        levels.level_0 as finer
    from "values_sex" as present
    join "levels_sex" as levels
        on present.code = levels.code
),

shares_3 as (
    select
        released,
        finer,
        sum(_rows) / sum(sum(_rows)) over (partition by released) as share
    from labels_3
    group by
        released,
        finer
),

labels_4 as (
    select
        present.value,
        present._rows,
        levels.level_2 as released,
        levels.level_1 as finer
    from "values_town" as present
    join "levels_town" as levels
        on present.code = levels.code
),

shares_4 as (
    select
        released,
        finer,
        sum(_rows) / sum(sum(_rows)) over (partition by released) as share
    from labels_4
    group by
        released,
        finer
),

marked as (
    select
        sampled._kept_0,
        sampled._kept_1,
        case
            when sampled._kept_2 is not null
                then floor(percent_rank() over (order by sampled._kept_2) * 100)
        end as _kept_2,
        labels_0.released as _released_0,
        labels_0.finer as _finer_0,
        labels_1.released as _released_1,
        labels_1.finer as _finer_1,
        labels_2.released as _released_2,
        labels_2.finer as _finer_2,
        labels_3.released as _released_3,
        labels_3.finer as _finer_3,
        labels_4.released as _released_4,
        labels_4.finer as _finer_4
    from sampled_records as sampled
    join labels_0
        on sampled._value_0 is not distinct from labels_0.value
    join labels_1
        on sampled._value_1 is not distinct from labels_1.value
    join labels_2
        on sampled._value_2 is not distinct from labels_2.value
    join labels_3
        on sampled._value_3 is not distinct from labels_3.value
    join labels_4
        on sampled._value_4 is not distinct from labels_4.value
),

predicted as (
    select
        0 as kept,
        0 as quasi_identifier,
        sum(cells._rows) as _rows,
        (max(cells._rows) - 1) / (sum(cells._rows) - 1) as known,
        arg_max(shares_0.share, cells._rows) as expected
    from (
        select
            _kept_0 as value,
            _released_0 as released,
            _finer_0 as finer,
            count(*) as _rows
        from marked
        group by all
    ) as cells
    join shares_0
        on cells.released = shares_0.released
        and cells.finer = shares_0.finer
    group by
        cells.value,
        cells.released
    having sum(cells._rows) > 1
    union all
    select
        0 as kept,
        1 as quasi_identifier,
        sum(cells._rows) as _rows,
        (max(cells._rows) - 1) / (sum(cells._rows) - 1) as known,
        arg_max(shares_1.share, cells._rows) as expected
    from (
        select
            _kept_0 as value,
            _released_1 as released,
            _finer_1 as finer,
            count(*) as _rows
        from marked
        group by all
    ) as cells
    join shares_1
        on cells.released = shares_1.released
        and cells.finer = shares_1.finer
    group by
        cells.value,
        cells.released
    having sum(cells._rows) > 1
    union all
    select
        0 as kept,
        2 as quasi_identifier,
        sum(cells._rows) as _rows,
        (max(cells._rows) - 1) / (sum(cells._rows) - 1) as known,
        arg_max(shares_2.share, cells._rows) as expected
    from (
        select
            _kept_0 as value,
            _released_2 as released,
            _finer_2 as finer,
            count(*) as _rows
        from marked
        group by all
    ) as cells
    join shares_2
        on cells.released = shares_2.released
        and cells.finer = shares_2.finer
    group by
        cells.value,
        cells.released
    having sum(cells._rows) > 1
    union all
    select
        0 as kept,
        3 as quasi_identifier,
        sum(cells._rows) as _rows,
        (max(cells._rows) - 1) / (sum(cells._rows) - 1) as known,
        arg_max(shares_3.share, cells._rows) as expected
    from (
        select
            _kept_0 as value,
            _released_3 as released,
            _finer_3 as finer,
            count(*) as _rows
        from marked
        group by all
    ) as cells
    join shares_3
        on cells.released = shares_3.released
        and cells.finer = shares_3.finer
    group by
        cells.value,
        cells.released
    having sum(cells._rows) > 1
    union all
    select
        0 as kept,
        4 as quasi_identifier,
        sum(cells._rows) as _rows,
        (max(cells._rows) - 1) / (sum(cells._rows) - 1) as known,
        arg_max(shares_4.share, cells._rows) as expected
    from (
        select
            _kept_0 as value,
            _released_4 as released,
            _finer_4 as finer,
            count(*) as _rows
        from marked
        group by all
    ) as cells
    join shares_4
        on cells.released = shares_4.released
        and cells.finer = shares_4.finer
    group by
        cells.value,
        cells.released
    having sum(cells._rows) > 1
    union all
    select
        1 as kept,
        0 as quasi_identifier,
        sum(cells._rows) as _rows,
        (max(cells._rows) - 1) / (sum(cells._rows) - 1) as known,
        arg_max(shares_0.share, cells._rows) as expected
    from (
        select
            _kept_1 as value,
            _released_0 as released,
            _finer_0 as finer,
            count(*) as _rows
        from marked
        group by all
    ) as cells
    join shares_0
        on cells.released = shares_0.released
        and cells.finer = shares_0.finer
    group by
        cells.value,
        cells.released
    having sum(cells._rows) > 1
    union all
    select
        1 as kept,
        1 as quasi_identifier,
        sum(cells._rows) as _rows,
        (max(cells._rows) - 1) / (sum(cells._rows) - 1) as known,
        arg_max(shares_1.share, cells._rows) as expected
    from (
        select
            _kept_1 as value,
            _released_1 as released,
            _finer_1 as finer,
            count(*) as _rows
        from marked
        group by all
    ) as cells
    join shares_1
        on cells.released = shares_1.released
        and cells.finer = shares_1.finer
    group by
        cells.value,
        cells.released
    having sum(cells._rows) > 1
    union all
    select
        1 as kept,
        2 as quasi_identifier,
        sum(cells._rows) as _rows,
        (max(cells._rows) - 1) / (sum(cells._rows) - 1) as known,
        arg_max(shares_2.share, cells._rows) as expected
    from (
        select
            _kept_1 as value,
            _released_2 as released,
            _finer_2 as finer,
            count(*) as _rows
        from marked
        group by all
    ) as cells
    join shares_2
        on cells.released = shares_2.released
        and cells.finer = shares_2.finer
    group by
        cells.value,
        cells.released
    having sum(cells._rows) > 1
    union all
    select
        1 as kept,
        3 as quasi_identifier,
        sum(cells._rows) as _rows,
        (max(cells._rows) - 1) / (sum(cells._rows) - 1) as known,
        arg_max(shares_3.share, cells._rows) as expected
    from (
        select
            _kept_1 as value,
            _released_3 as released,
            _finer_3 as finer,
            count(*) as _rows
        from marked
        group by all
    ) as cells
    join shares_3
        on cells.released = shares_3.released
        and cells.finer = shares_3.finer
    group by
        cells.value,
        cells.released
    having sum(cells._rows) > 1
    union all
    select
        1 as kept,
        4 as quasi_identifier,
        sum(cells._rows) as _rows,
        (max(cells._rows) - 1) / (sum(cells._rows) - 1) as known,
        arg_max(shares_4.share, cells._rows) as expected
    from (
        select
            _kept_1 as value,
            _released_4 as released,
            _finer_4 as finer,
            count(*) as _rows
        from marked
        group by all
    ) as cells
    join shares_4
        on cells.released = shares_4.released
        and cells.finer = shares_4.finer
    group by
        cells.value,
        cells.released
    having sum(cells._rows) > 1
    union all
    select
        2 as kept,
        0 as quasi_identifier,
        sum(cells._rows) as _rows,
        (max(cells._rows) - 1) / (sum(cells._rows) - 1) as known,
        arg_max(shares_0.share, cells._rows) as expected
    from (
        select
            _kept_2 as value,
            _released_0 as released,
            _finer_0 as finer,
            count(*) as _rows
        from marked
        group by all
    ) as cells
    join shares_0
        on cells.released = shares_0.released
        and cells.finer = shares_0.finer
    group by
        cells.value,
        cells.released
    having sum(cells._rows) > 1
    union all
    select
        2 as kept,
        1 as quasi_identifier,
        sum(cells._rows) as _rows,
        (max(cells._rows) - 1) / (sum(cells._rows) - 1) as known,
        arg_max(shares_1.share, cells._rows) as expected
    from (
        select
            _kept_2 as value,
            _released_1 as released,
            _finer_1 as finer,
            count(*) as _rows
        from marked
        group by all
    ) as cells
    join shares_1
        on cells.released = shares_1.released
        and cells.finer = shares_1.finer
    group by
        cells.value,
        cells.released
    having sum(cells._rows) > 1
    union all
    select
        2 as kept,
        2 as quasi_identifier,
        sum(cells._rows) as _rows,
        (max(cells._rows) - 1) / (sum(cells._rows) - 1) as known,
        arg_max(shares_2.share, cells._rows) as expected
    from (
        select
            _kept_2 as value,
            _released_2 as released,
            _finer_2 as finer,
            count(*) as _rows
        from marked
        group by all
    ) as cells
    join shares_2
        on cells.released = shares_2.released
        and cells.finer = shares_2.finer
    group by
        cells.value,
        cells.released
    having sum(cells._rows) > 1
    union all
    select
        2 as kept,
        3 as quasi_identifier,
        sum(cells._rows) as _rows,
        (max(cells._rows) - 1) / (sum(cells._rows) - 1) as known,
        arg_max(shares_3.share, cells._rows) as expected
    from (
        select
            _kept_2 as value,
            _released_3 as released,
            _finer_3 as finer,
            count(*) as _rows
        from marked
        group by all
    ) as cells
    join shares_3
        on cells.released = shares_3.released
        and cells.finer = shares_3.finer
    group by
        cells.value,
        cells.released
    having sum(cells._rows) > 1
    union all
    select
        2 as kept,
        4 as quasi_identifier,
        sum(cells._rows) as _rows,
        (max(cells._rows) - 1) / (sum(cells._rows) - 1) as known,
        arg_max(shares_4.share, cells._rows) as expected
    from (
        select
            _kept_2 as value,
            _released_4 as released,
            _finer_4 as finer,
            count(*) as _rows
        from marked
        group by all
    ) as cells
    join shares_4
        on cells.released = shares_4.released
        and cells.finer = shares_4.finer
    group by
        cells.value,
        cells.released
    having sum(cells._rows) > 1
),

final as (
    select
        kept,
        quasi_identifier,
        sum(_rows) as repeated_rows,
        sum(_rows * known) / sum(_rows) as known,
        sum(_rows * expected) / sum(_rows) as expected,
        coalesce(sum(_rows) filter (
            where known >= 0.95
                and expected < 0.95
                and (1 - known) * 5 <= 1 - expected
                and pow(expected, _rows) < 0.01
        ), 0) as disclosed_rows
    from predicted
    group by
        kept,
        quasi_identifier
)

select * from final
order by
    kept,
    quasi_identifier
