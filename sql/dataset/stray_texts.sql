-- builds: stray_texts
-- reads: source
-- one row: column and one of its most frequent texts that are neither a number nor a date (NULL for all others), with its rows, and how many cells are filled and such texts
{% from "dataset/numbers.jinja" import is_number with context %}
with cells as (
    select
        unnest([{{ range(columns | length) | join(", ") }}]) as column_number,
        unnest([{{ columns | map("ident") | join(", ") }}]) as cell
    from (
        select
            {{ columns | idents | indent(8) }}
        from source
        {% if rows is not none %}
        limit {{ rows }}
        {% endif %}
    ) as sample
),

typed as (
    select
        *,
        coalesce({{ is_number("cell") }}, false) or try_cast(cell as timestamp) is not null as is_typed
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
qualify row_number() over (partition by column_number order by stray is null, _rows desc, stray) <= {{ most }}
order by all
