-- builds: disclosures
-- reads: released_sample, levels_<column>
-- one row: retained column, part of one or pair of them, and hidden label of a quasi-identifier: how well the first predicts it in the rows whose label leaves it open
with
-- without a level, the released label of the row is that beyond which the finer label is predicted
labels as (
    select
        0 as hidden,
        0 as quasi_identifier,
        code,
        null as assumed,
        level_2 as finer
    from "levels_age"
    union all
    select
        1 as hidden,
        0 as quasi_identifier,
        code,
        null as assumed,
        level_1 as finer
    from "levels_age"
    union all
    select
        2 as hidden,
        0 as quasi_identifier,
        code,
        null as assumed,
        level_0 as finer
    from "levels_age"
    union all
    select
        3 as hidden,
        1 as quasi_identifier,
        code,
        null as assumed,
        level_0 as finer
    from "levels_sex"
    union all
    select
        4 as hidden,
        2 as quasi_identifier,
        code,
        null as assumed,
        level_1 as finer
    from "levels_town"
    union all
    select
        5 as hidden,
        2 as quasi_identifier,
        code,
        null as assumed,
        level_0 as finer
    from "levels_town"
    union all
    select
        6 as hidden,
        0 as quasi_identifier,
        code,
        level_1 as assumed,
        level_0 as finer
    from "levels_age"
    union all
    select
        7 as hidden,
        0 as quasi_identifier,
        code,
        level_2 as assumed,
        level_1 as finer
    from "levels_age"
    union all
    select
        8 as hidden,
        0 as quasi_identifier,
        code,
        level_3 as assumed,
        level_2 as finer
    from "levels_age"
    union all
    select
        9 as hidden,
        1 as quasi_identifier,
        code,
        level_1 as assumed,
        level_0 as finer
    from "levels_sex"
    union all
    select
        10 as hidden,
        2 as quasi_identifier,
        code,
        level_2 as assumed,
        level_1 as finer
    from "levels_town"
),

binned as (
    select
        _retained_0,
        _retained_1,
        case
            when _retained_2 is not null
                then floor(percent_rank() over (order by _retained_2) * 100)
        end as _retained_2,
        _code_0,
        hash(_shown_0) as _shown_0,
        _code_1,
        hash(_shown_1) as _shown_1,
        _code_2,
        hash(_shown_2) as _shown_2
    from released_sample
),

-- a hash of the value that leaves the number of the column as its remainder, so that one grouping counts all of them
marked as materialized (
    select
        unnest([
            hash(_retained_0) // 16 * 16 + 0,
            hash(_retained_1) // 16 * 16 + 1,
            hash(_retained_2) // 16 * 16 + 2
        ]) as cell,
        _code_0,
        _shown_0,
        _code_1,
        _shown_1,
        _code_2,
        _shown_2
    from binned
),

counts as (
    select
        cell,
        0 as quasi_identifier,
        _code_0 as code,
        _shown_0 as shown,
        count(*) as _rows
    from marked
    group by all
    union all
    select
        cell,
        1 as quasi_identifier,
        _code_1 as code,
        _shown_1 as shown,
        count(*) as _rows
    from marked
    group by all
    union all
    select
        cell,
        2 as quasi_identifier,
        _code_2 as code,
        _shown_2 as shown,
        count(*) as _rows
    from marked
    group by all
),

cells as (
    select
        counts.cell,
        labels.hidden,
        coalesce(labels.assumed, counts.shown) as released,
        labels.finer,
        sum(counts._rows) as _rows
    from counts
    join labels
        on counts.quasi_identifier = labels.quasi_identifier
        and counts.code = labels.code
    group by all
),

-- every column has a cell of every row, so one of them has the shares of all rows
label_rows as (
    select
        hidden,
        released,
        finer,
        sum(_rows) as _rows
    from cells
    where cell % 16 = 0
    group by all
),

shares as (
    select
        *,
        _rows / sum(_rows) over (partition by hidden, released) as share
    from label_rows
),

weighed as (
    select
        cells.*,
        shares.share
    from cells
    join shares
        on cells.hidden = shares.hidden
        and cells.released = shares.released
        and cells.finer = shares.finer
),

predicted as (
    select
        cell,
        hidden,
        sum(_rows) as _rows,
        (max(_rows) - 1) / (sum(_rows) - 1) as known,
        -- of labels with equally many rows, the most frequent one in the table
        arg_max(share, _rows + share / 2) as expected
    from weighed
    group by
        cell,
        hidden,
        released
    having sum(_rows) > 1
),

-- the logarithm of the probability that the other rows of a group have the label of the first by chance, and the same for all groups of a value
evaluated as (
    select
        *,
        (_rows - 1) * ln(expected) as chance,
        sum((_rows - 1) * ln(expected)) over cell as cell_chance,
        sum(_rows * known) over cell / sum(_rows) over cell as cell_known,
        sum(_rows * expected) over cell / sum(_rows) over cell as cell_expected
    from predicted
    where expected < 0.95
    window cell as (partition by cell, hidden)
),

disclosed as (
    select
        *,
        known >= 0.95 as is_certain,
        (known >= 0.95 and (1 - known) * 5 <= 1 - expected and exp(chance) < 0.01)
            or (cell_known >= 0.95 and (1 - cell_known) * 5 <= 1 - cell_expected and exp(cell_chance) < 0.01) as is_disclosed
    from evaluated
),

final as (
    select
        cell % 16 as kept,
        hidden,
        sum(_rows) as open_rows,
        sum(_rows * known) / sum(_rows) as known,
        sum(_rows * expected) / sum(_rows) as expected,
        coalesce(sum(_rows) filter (where is_disclosed), 0) as disclosed_rows,
        count(*) as groups,
        count(*) filter (where is_certain) as certain_groups,
        coalesce(sum(chance) filter (where is_certain), 0) as certain_chance,
        count(*) filter (where is_disclosed) as disclosed_groups,
        coalesce(sum(chance) filter (where is_disclosed), 0) as disclosed_chance
    from disclosed
    group by all
)

select * from final
order by
    kept,
    hidden
