-- builds: lookup_<column>
-- reads: listed_<column>
-- one row: value: its text up to the level of its priority, then the top
with positions as (
    select
        cell_1 as text,
        row_number() over (order by cell_0 {{ "asc" if keep == "highest" else "desc" }}, cell_1) - 1 as position,
        count(*) over () as present
    from {{ ("listed_" ~ column) | ident }}
),

final as (
    select
        text as value,
        text as level_0,
        {% for level in range(1, height + 1) %}
        case when position * {{ height }} < present * {{ level }} then {{ top | literal }} else text end as level_{{ level }}{{ "," if not loop.last }}
        {% endfor %}
    from positions
    order by position
)

select * from final
