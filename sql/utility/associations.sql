-- builds: associations
-- reads: outcomes, label_sets
-- one row: pair of quasi-identifiers, with Cramér's V without bias (Bergsma 2013) of their values and of their released labels; NULL if one of them has a single value, or each in another row
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

contingencies as (
    select
        number,
        sum(_rows) as _rows,
        max(first) - 1.0 as first_freedom,
        max(second) - 1.0 as second_freedom,
        sum(_rows * _rows / first_rows / second_rows) - 1 as phi
    from weighed
    group by
        number
),

strengths as (
    select
        number,
        round(phi - first_freedom * second_freedom / (_rows - 1), 12) as phi_unbiased,
        round(least(first_freedom - first_freedom ** 2 / (_rows - 1), second_freedom - second_freedom ** 2 / (_rows - 1)), 9) as freedom
    from contingencies
    where _rows > 1
)

select
    number // 2 as pair,
    max(least(1, sqrt(greatest(0, phi_unbiased) / freedom))) filter (where number % 2 = 0 and freedom > 0) as before,
    max(least(1, sqrt(greatest(0, phi_unbiased) / freedom))) filter (where number % 2 = 1 and freedom > 0) as after
from strengths
group by
    number // 2
order by pair
