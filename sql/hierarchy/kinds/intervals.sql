-- builds: lookup_<column>
-- reads: values_<column>
-- one row: number of the data: its text, the interval [low, high) that holds it on each level
with numbers as (
    select
        text,
        {% if whole %}
        cast(value as hugeint) - {{ origin }} as number
        {% else %}
        try_cast(text as decimal(38, 18)) - cast({{ origin }} as decimal(38, 18)) as number
        {% endif %}
    from {{ ("values_" ~ column) | ident }}
    where value is not null and not missing
),

bounds as (
    select
        text,
        {% for width in widths %}
        {% if whole %}
        number - ((number % {{ width }}) + {{ width }}) % {{ width }} + {{ origin }} as low_{{ loop.index }}{{ "," if not loop.last }}
        {% else %}
        cast(number - ((number % cast({{ width }} as decimal(38, 18))) + {{ width }}) % cast({{ width }} as decimal(38, 18)) + {{ origin }} as {{ bound_type }}) as low_{{ loop.index }}{{ "," if not loop.last }}
        {% endif %}
        {% endfor %}
    from numbers
    {% if not whole %}
    where number is not null
    {% endif %}
),

final as (
    select
        text as value,
        text as level_0,
        {% for width in widths %}
        '[' || low_{{ loop.index }} || ', ' || {% if whole %}(low_{{ loop.index }} + {{ width }}){% else %}cast(low_{{ loop.index }} + {{ width }} as {{ bound_type }}){% endif %} || ')' as level_{{ loop.index }},
        {% endfor %}
        {{ top | literal }} as level_{{ widths | length + 1 }}
    from bounds
)

select * from final
