-- builds: associations
-- reads: outcomes, label_sets
-- one row: pair of quasi-identifiers, with Cramér's V of their values and of their released labels; NULL if one of them has a single value
{% macro cells(number, relation, first, second) -%}
select
    {{ number }} as number,
    dense_rank() over (order by {{ first }}) as first,
    dense_rank() over (order by {{ second }}) as second,
    cast(sum(_rows) as double) as _rows
from {{ relation }}
group by
    {{ first }},
    {{ second }}
{%- endmacro %}
with cells as (
    {% for pair in pairs %}
    {{ cells(2 * loop.index0, "outcomes", pair.first.name | ident, pair.second.name | ident) | indent }}
    union all
    {{ cells(2 * loop.index0 + 1, "label_sets", "_label_%d" % pair.first.number, "_label_%d" % pair.second.number) | indent }}
    {% if not loop.last %}
    union all
    {% endif %}
    {% endfor %}
),

weighed as (
    select
        *,
        sum(_rows) over (partition by number, first) as first_rows,
        sum(_rows) over (partition by number, second) as second_rows
    from cells
),

strengths as (
    select
        number,
        sqrt(greatest(0.0, round(sum(_rows * _rows / first_rows / second_rows) - 1, 12)) / nullif(least(max(first), max(second)) - 1, 0)) as strength
    from weighed
    group by
        number
)

select
    number // 2 as pair,
    max(strength) filter (where number % 2 = 0) as before,
    max(strength) filter (where number % 2 = 1) as after
from strengths
group by
    number // 2
order by pair
