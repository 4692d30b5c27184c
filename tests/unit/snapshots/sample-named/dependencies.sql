-- builds: dependencies
-- reads: sampled_records
-- one row: set of columns, and column that it may determine: the rows whose values of the set are in several rows, the groups of these rows, the rows of the largest group, the rows that the others of their group predict, and the share of the most frequent value
with chosen as (
    select distinct
        _retained_0,
        _retained_1,
        _retained_2
    from sampled_records
),

-- a hash of the values that leaves the number of the set as its remainder, so that one grouping counts all sets
marked as (
    select
        unnest([
            hash(_retained_0) // 32 * 32 + 0,
            hash(regexp_extract_all(cast(_retained_0 as varchar), '[0-9]+|[^0-9[:punct:][:space:]]+')[1]) // 32 * 32 + 1,
            hash(substring(cast(_retained_0 as varchar), 1, 1)) // 32 * 32 + 2,
            hash(substring(cast(_retained_0 as varchar), 1, 2)) // 32 * 32 + 3,
            hash(substring(cast(_retained_0 as varchar), 1, 4)) // 32 * 32 + 4,
            hash(substring(cast(_retained_0 as varchar), 2, 1)) // 32 * 32 + 5,
            hash(substring(cast(_retained_0 as varchar), 2, 2)) // 32 * 32 + 6,
            hash(substring(cast(_retained_0 as varchar), 2, 4)) // 32 * 32 + 7,
            hash(substring(cast(_retained_0 as varchar), 3, 1)) // 32 * 32 + 8,
            hash(substring(cast(_retained_0 as varchar), 3, 2)) // 32 * 32 + 9,
            hash(substring(cast(_retained_0 as varchar), 3, 4)) // 32 * 32 + 10,
            hash(substring(cast(_retained_0 as varchar), 4, 1)) // 32 * 32 + 11,
            hash(substring(cast(_retained_0 as varchar), 4, 2)) // 32 * 32 + 12,
            hash(substring(cast(_retained_0 as varchar), 4, 4)) // 32 * 32 + 13,
            hash(substring(cast(_retained_0 as varchar), 5, 1)) // 32 * 32 + 14,
            hash(substring(cast(_retained_0 as varchar), 5, 2)) // 32 * 32 + 15,
            hash(substring(cast(_retained_0 as varchar), 5, 4)) // 32 * 32 + 16,
            hash(substring(cast(_retained_0 as varchar), 6, 1)) // 32 * 32 + 17,
            hash(substring(cast(_retained_0 as varchar), 6, 2)) // 32 * 32 + 18,
            hash(substring(cast(_retained_0 as varchar), 6, 4)) // 32 * 32 + 19,
            hash(right(cast(_retained_0 as varchar), 4)) // 32 * 32 + 20
        ]) as cell,
        hash(_retained_1) as target_1,
        hash(_retained_2) as target_2
    from chosen
),

counts as (
    select
        cell,
        1 as target,
        target_1 as value,
        count(*) as _rows
    from marked
    group by all
    union all
    select
        cell,
        2 as target,
        target_2 as value,
        count(*) as _rows
    from marked
    group by all
),

frequent as (
    select
        target,
        max(_rows) / sum(_rows) as share
    from (
        select
            target,
            value,
            sum(_rows) as _rows
        from counts
        where cell % 32 = 0
        group by
            target,
            value
    )
    group by target
),

groups as (
    select
        cell,
        target,
        sum(_rows) as _rows,
        max(_rows) as most
    from counts
    group by
        cell,
        target
    having sum(_rows) > 1
)

select
    cast(groups.cell % 32 as integer) as number,
    groups.target,
    cast(sum(groups._rows) as bigint) as repeated,
    count(*) as groups,
    cast(max(groups._rows) as bigint) as largest,
    sum(groups._rows * (groups.most - 1) / (groups._rows - 1)) as predicted,
    max(frequent.share) as frequent
from groups
join frequent
    on groups.target = frequent.target
group by
    groups.cell % 32,
    groups.target
order by
    number,
    groups.target
