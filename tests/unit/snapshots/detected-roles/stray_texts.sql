-- builds: stray_texts
-- reads: source
-- one row: column and one of its most frequent texts that are neither a number nor a date (NULL for all others), with its rows, and how many cells are filled and such texts
with cells as (
    select
        unnest([0, 1, 2, 3]) as column_number,
        unnest(["name", "sex", "town", "illness"]) as cell
    from (
        select
            "name",
            "sex",
            "town",
            "illness"
        from source
        limit 10000
    ) as sample
),

typed as (
    select
        *,
        coalesce(regexp_full_match(cell, ' *[+-]?(((0|[1-9][0-9]*)([.][0-9]*)?|[.][0-9]+)(e[+-]?[0-9]{1,9})?|inf(inity)?) *', 'i'), false) or try_cast(cell as timestamp) is not null as is_typed
    from cells
    where cell is not null
),

texts as (
    select
        column_number,
        case when is_typed then null else cell end as stray,
        cast(count(*) as bigint) as _rows
    from typed
    group by all
),

final as (
    select
        column_number,
        stray,
        _rows,
        cast(sum(_rows) over (partition by column_number) as bigint) as filled,
        cast(sum(case when stray is not null then _rows else 0 end) over (partition by column_number) as bigint) as strays
    from texts
)

select *
from final
qualify row_number() over (partition by column_number order by stray is null, _rows desc, stray) <= 4
order by all
