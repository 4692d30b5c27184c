-- builds: lookup_<column>
-- reads: values_<column>
-- one row: whole number of the data: its text, the interval [low, high) that holds it on each level
with numbers as (
    select
        text,
        cast(value as hugeint) - {{ origin }} as number
    from {{ ("values_" ~ column) | ident }}
    where value is not null and not missing
),

bounds as (
    select
        text,
        {% for width in widths %}
        number - ((number % {{ width }}) + {{ width }}) % {{ width }} + {{ origin }} as low_{{ loop.index }}{{ "," if not loop.last }}
        {% endfor %}
    from numbers
),

final as (
    select
        text as value,
        text as level_0,
        {% for width in widths %}
        '[' || low_{{ loop.index }} || ', ' || (low_{{ loop.index }} + {{ width }}) || ')' as level_{{ loop.index }},
        {% endfor %}
        {{ top | literal }} as level_{{ widths | length + 1 }}
    from bounds
)

select * from final
