-- builds: judged
-- reads: value_counts
-- one row: class, which fails if the share of a sensitive value is at least 2^delta times its share in the table, or at most 2^-delta times (Brickell, Shmatikov 2008)
with measures as (
    select
        _class,
        count(*) as present,
        max(_values) as _values,
        max(abs(log2(cast(_value_rows as hugeint) * _all_rows / (cast(_table_rows as double) * _class_rows)))) as most,
        {% if model.whole %}
        min(_value_rows * cast(_all_rows as double) / _table_rows) * pow(2, {{ model.delta }}) as bearable,
        {% endif %}
        {% if model.power is not none %}
        count(*) filter (
            where cast(_value_rows as hugeint) * _all_rows >= cast(_table_rows as hugeint) * _class_rows * {{ model.power }}
                or cast(_table_rows as hugeint) * _class_rows >= cast(_value_rows as hugeint) * _all_rows * {{ model.power }}
        ) as beyond
        {% else %}
        count(*) filter (
            where abs(log2(cast(_value_rows as hugeint) * _all_rows / (cast(_table_rows as double) * _class_rows))) >= {{ model.delta }}
        ) as beyond
        {% endif %}
    from {{ model.value_counts }}
    group by
        _class
)

select
    _class,
    {% if model.whole %}
    case when present = _values then most else cast('inf' as double) end as _achieved,
    beyond > 0 or present < _values as _fails,
    case when present < _values then 0 else cast(floor(least(bearable, 1e18) + 1e-6) as hugeint) end as _kept
    {% else %}
    most as _achieved,
    beyond > 0 as _fails
    {% endif %}
from measures
