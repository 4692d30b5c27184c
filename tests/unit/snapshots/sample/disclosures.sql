-- builds: disclosures
-- reads: sampled_records, values_<column>, levels_<column>
-- one row: retained column, part of one or pair of them, and hidden label of a quasi-identifier: how well the first predicts it, beside the released label
with
labels as (
    select
        0 as hidden,
        0 as quasi_identifier,
        present.code,
        present._rows,
        levels.level_1 as released,
        levels.level_0 as finer
    from "values_age" as present
    join "levels_age" as levels
        on present.code = levels.code
    union all
    select
        1 as hidden,
        1 as quasi_identifier,
        present.code,
        present._rows,
        levels.level_2 as released,
        levels.level_1 as finer
    from "values_town" as present
    join "levels_town" as levels
        on present.code = levels.code
    union all
    select
        2 as hidden,
        1 as quasi_identifier,
        present.code,
        present._rows,
        levels.level_2 as released,
        levels.level_0 as finer
    from "values_town" as present
    join "levels_town" as levels
        on present.code = levels.code
),

shares as (
    select
        hidden,
        released,
        finer,
        sum(_rows) / sum(sum(_rows)) over (partition by hidden, released) as share
    from labels
    group by
        hidden,
        released,
        finer
),

binned as (
    select
        _retained_0,
        _retained_1,
        _retained_2,
        _retained_3,
        case
            when _retained_4 is not null
                then floor(percent_rank() over (order by _retained_4) * 100)
        end as _retained_4,
        case
            when _retained_5 is not null
                then floor(percent_rank() over (order by _retained_5) * 100)
        end as _retained_5,
        case
            when _retained_6 is not null
                then floor(percent_rank() over (order by _retained_6) * 100)
        end as _retained_6,
        _value_0,
        _value_1
    from sampled_records
),

-- a hash of the value that leaves the number of the column as its remainder, so that one grouping counts all of them
marked as (
    select
        unnest([
            hash(_retained_0) // 16 * 16 + 0,
            hash(_retained_1) // 16 * 16 + 1,
            hash(_retained_2) // 16 * 16 + 2,
            hash(_retained_3) // 16 * 16 + 3,
            hash(_retained_4) // 16 * 16 + 4,
            hash(_retained_5) // 16 * 16 + 5,
            hash(_retained_6) // 16 * 16 + 6
        ]) as cell,
        values_0.code as _code_0,
        values_1.code as _code_1
    from binned
    join "values_age" as values_0
        on binned._value_0 is not distinct from values_0.value
    join "values_town" as values_1
        on binned._value_1 is not distinct from values_1.value
),

counts as (
    select
        cell,
        0 as quasi_identifier,
        _code_0 as code,
        count(*) as _rows
    from marked
    group by all
    union all
    select
        cell,
        1 as quasi_identifier,
        _code_1 as code,
        count(*) as _rows
    from marked
    group by all
),

cells as (
    select
        counts.cell,
        labels.hidden,
        labels.released,
        labels.finer,
        sum(counts._rows) as _rows
    from counts
    join labels
        on counts.quasi_identifier = labels.quasi_identifier
        and counts.code = labels.code
    group by all
),

predicted as (
    select
        cells.cell % 16 as kept,
        cells.hidden,
        sum(cells._rows) as _rows,
        (max(cells._rows) - 1) / (sum(cells._rows) - 1) as known,
        -- of labels with equally many rows, the most frequent one in the table
        arg_max(shares.share, cells._rows + shares.share / 2) as expected
    from cells
    join shares
        on cells.hidden = shares.hidden
        and cells.released = shares.released
        and cells.finer = shares.finer
    group by
        cells.cell,
        cells.hidden,
        cells.released
    having sum(cells._rows) > 1
),

-- the logarithm of the probability that all rows of a group have one label by chance
judged as (
    select
        *,
        (_rows - 1) * ln(expected) as chance,
        expected < 0.95 and known >= 0.95 as is_certain,
        expected < 0.95
            and known >= 0.95
            and (1 - known) * 5 <= 1 - expected
            and pow(expected, _rows) < 0.01 as is_disclosed
    from predicted
),

final as (
    select
        kept,
        hidden,
        sum(_rows) as repeated_rows,
        sum(_rows * known) / sum(_rows) as known,
        sum(_rows * expected) / sum(_rows) as expected,
        coalesce(sum(_rows) filter (where is_disclosed), 0) as disclosed_rows,
        count(*) filter (where expected < 0.95) as groups,
        count(*) filter (where is_certain) as certain_groups,
        coalesce(sum(chance) filter (where is_certain), 0) as certain_chance,
        count(*) filter (where is_disclosed) as disclosed_groups,
        coalesce(sum(chance) filter (where is_disclosed), 0) as disclosed_chance
    from judged
    group by
        kept,
        hidden
)

select * from final
order by
    kept,
    hidden
