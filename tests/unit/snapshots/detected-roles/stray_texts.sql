-- builds: stray_texts
-- reads: source
-- one row: column and one of its most frequent texts that are neither a number nor a date (NULL for all others), with its rows, and how many cells are filled and such texts
with cells as (
    select
        0 as column_number,
        "name" as cell,
        coalesce(regexp_full_match("name", ' *[+-]?(((0|[1-9][0-9]*)([.][0-9]*)?|[.][0-9]+)(e[+-]?[0-9]{1,9})?|inf(inity)?) *', 'i'), false) or try_cast("name" as timestamp) is not null as is_typed
    from (select "name" from source limit 10000)
    where "name" is not null
    union all
    select
        1 as column_number,
        "sex" as cell,
        coalesce(regexp_full_match("sex", ' *[+-]?(((0|[1-9][0-9]*)([.][0-9]*)?|[.][0-9]+)(e[+-]?[0-9]{1,9})?|inf(inity)?) *', 'i'), false) or try_cast("sex" as timestamp) is not null as is_typed
    from (select "sex" from source limit 10000)
    where "sex" is not null
    union all
    select
        2 as column_number,
        "town" as cell,
        coalesce(regexp_full_match("town", ' *[+-]?(((0|[1-9][0-9]*)([.][0-9]*)?|[.][0-9]+)(e[+-]?[0-9]{1,9})?|inf(inity)?) *', 'i'), false) or try_cast("town" as timestamp) is not null as is_typed
    from (select "town" from source limit 10000)
    where "town" is not null
    union all
    select
        3 as column_number,
        "illness" as cell,
        coalesce(regexp_full_match("illness", ' *[+-]?(((0|[1-9][0-9]*)([.][0-9]*)?|[.][0-9]+)(e[+-]?[0-9]{1,9})?|inf(inity)?) *', 'i'), false) or try_cast("illness" as timestamp) is not null as is_typed
    from (select "illness" from source limit 10000)
    where "illness" is not null
),

texts as (
    select
        column_number,
        case when is_typed then null else cell end as stray,
        cast(count(*) as bigint) as _rows
    from cells
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
