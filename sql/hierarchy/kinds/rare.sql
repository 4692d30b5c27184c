-- builds: lookup_<column>
-- reads: values_<column>
-- one row: value of the data: its text on levels on which enough rows have it, then the label of rare values
with shares as (
    select
        text,
        _rows / sum(_rows) over () as share
    from {{ ("values_" ~ column) | ident }}
    where value is not null
        and not missing
),

final as (
    select
        text as value,
        text as level_0,
        {% for share in below %}
        case when share < {{ share }} then {{ label | literal }} else text end as level_{{ loop.index }},
        {% endfor %}
        {{ top | literal }} as level_{{ below | length + 1 }}
    from shares
)

select * from final
