-- builds: evaluated
-- reads: value_counts
-- one row: class, which fails if the share of a sensitive value is at least 2^delta times its share in the table, or at most 2^-delta times (Brickell, Shmatikov 2008)
with compared as (
    select
        *,
        {% if model.power is not none %}
        cast(_value_rows as hugeint) * _all_rows >= cast(_table_rows as hugeint) * _class_rows * {{ model.power }} as is_frequent,
        cast(_table_rows as hugeint) * _class_rows >= cast(_value_rows as hugeint) * _all_rows * {{ model.power }} as is_rare
        {% else %}
        log2(cast(_value_rows as hugeint) * _all_rows / (cast(_table_rows as double) * _class_rows)) >= {{ model.delta }} as is_frequent,
        log2(cast(_value_rows as hugeint) * _all_rows / (cast(_table_rows as double) * _class_rows)) <= -{{ model.delta }} as is_rare
        {% endif %}
    from {{ model.value_counts }}
),

measures as (
    select
        _class,
        count(*) as present,
        max(_values) as _values,
        max(abs(log2(cast(_value_rows as hugeint) * _all_rows / (cast(_table_rows as double) * _class_rows)))) as most,
        {% if model.whole %}
        min(_value_rows * cast(_all_rows as double) / _table_rows) * pow(2, {{ model.delta }}) as bound_rows,
        {% else %}
        max(_class_rows) as _rows,
        bool_or(is_frequent) as has_frequent,
        coalesce(sum(_value_rows) filter (where not is_frequent), 0) as other_rows,
        1 - pow(2, {{ model.delta }}) * coalesce(sum(_table_rows) filter (where is_frequent), 0) / max(_all_rows) as other_share,
        {% endif %}
        bool_or(is_frequent or is_rare) as _fails
    from compared
    group by
        _class
)

select
    _class,
    {% if model.whole %}
    case when present = _values then most else cast('inf' as double) end as _achieved,
    _fails or present < _values as _fails,
    case when present < _values then 0 else cast(floor(least(bound_rows, 1e18) + 1e-6) as hugeint) end as _most_passing
    {% else %}
    most as _achieved,
    _fails,
    case
        when has_frequent and other_share > 1e-9 then cast(floor(least(other_rows / other_share * (1 + 1e-9), _rows - 1) + 1e-6) as hugeint)
        when has_frequent then _rows - 1
    end as _most_passing
    {% endif %}
from measures
