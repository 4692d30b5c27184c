-- builds: near_unique
-- reads: sampled_records
-- one row: retained column: the rows that were read, the values that one or two of them have, the rows with a value that fewer than k persons or rows have, and the outliers above and below all others
with
{% for column in columns %}
{% set n = column.number %}
counted_{{ n }} as (
    select
        _retained_{{ n }} as value,
        {% if person is not none %}
        count(distinct _retained_{{ person }}) + max(case when _retained_{{ person }} is null then 1 else 0 end) as _holders,
        {% endif %}
        count(*) as _rows
    from sampled_records
    group by all
),

{% if column.is_number %}
{% if person is not none %}
ends_of_persons_{{ n }} as (
    {% for end in ("max", "min") %}
    select
        _retained_{{ person }} as person,
        {{ end }}(try_cast(_retained_{{ n }} as double)) filter (where isfinite(try_cast(_retained_{{ n }} as double))) as value
    from sampled_records
    group by all
    {{ "union" if not loop.last }}
    {% endfor %}
),

spread_{{ n }} as (
    select
        value,
        count(*) as _rows
    from ends_of_persons_{{ n }}
    group by all
),

{% endif %}
placed_{{ n }} as (
    select
        try_cast(value as double) as value,
        _rows,
        sum(_rows) over (order by try_cast(value as double)) as rows_up_to,
        sum(_rows) over (order by try_cast(value as double) desc) as rows_from,
        sum(_rows) over () as all_rows
    from {{ "counted" if person is none else "spread" }}_{{ n }}
    where isfinite(try_cast(value as double))
),

marks_{{ n }} as (
    select
        min(value) filter (where 2 * rows_up_to >= all_rows) as middle,
        max(value) filter (where rows_from >= {{ few }}) as high,
        min(value) filter (where rows_up_to >= {{ few }}) as low
    from placed_{{ n }}
    where all_rows >= {{ least_rows }}
),

ends_{{ n }} as (
    select
        coalesce(sum(_rows) filter (where high > middle and value - middle > {{ far }} * (high - middle)), 0) as rows_above,
        coalesce(sum(_rows) filter (where low < middle and middle - value > {{ far }} * (middle - low)), 0) as rows_below
    from placed_{{ n }}
    cross join marks_{{ n }}
),

{% endif %}
{% endfor %}
final as (
    {% for column in columns %}
    {% set n = column.number %}
    select
        {{ n }} as kept,
        sum(_rows) as _rows,
        count(*) filter (where _rows = 1) as once,
        count(*) filter (where _rows = 2) as twice,
        coalesce(sum(_rows) filter (where {{ "_rows" if person is none else "_holders" }} < {{ k }} and value is not null), 0) as rows_of_few,
        {% if column.is_number %}
        (select rows_above from ends_{{ n }}) as rows_above,
        (select rows_below from ends_{{ n }}) as rows_below
        {% else %}
        0 as rows_above,
        0 as rows_below
        {% endif %}
    from counted_{{ n }}
    {% if not loop.last %}
    union all
    {% endif %}
    {% endfor %}
)

select * from final
order by kept
