-- builds: evaluated
-- reads: value_counts
-- one row: class, which fails if the distance between the distributions of its sensitive values and of the table exceeds t, along their hierarchy (Li et al. 2007)
with branches as (
    {% for level in range(1, model.height + 1) %}
    select
        _class,
        {{ level }} as level,
        _label_{{ level }} as label,
        max(_class_rows) as _rows,
        max(_all_rows) as _all_rows,
        max(_table_rows_{{ level }}) as _table_rows,
        sum(_value_rows) as _value_rows,
        sum(cast(_value_rows as hugeint)) * max(_all_rows) - cast(max(_table_rows_{{ level - 1 }}) as hugeint) * max(_class_rows) as excess
    from {{ model.value_counts }}
    group by
        _class,
        _label_{{ level }},
        _label_{{ level - 1 }}
    {% if not loop.last %}
    union all
    {% endif %}
    {% endfor %}
),

nodes as (
    select
        _class,
        level,
        max(_rows) as _rows,
        max(_all_rows) as _all_rows,
        sum(greatest(excess, 0)) as above,
        sum(greatest(excess, 0)) - (sum(cast(_value_rows as hugeint)) * max(_all_rows) - cast(max(_table_rows) as hugeint) * max(_rows)) as below
    from branches
    group by
        _class,
        level,
        label
),

distances as (
    select
        _class,
        max(_rows) as _rows,
        max(_all_rows) as _all_rows,
        sum(level * least(above, below)) as distance
    from nodes
    group by
        _class
)

select
    _class,
    distance / (cast(_rows as double) * _all_rows * {{ model.height }}) as _achieved,
    distance * {{ model.t.denominator }} > cast(_rows as hugeint) * _all_rows * {{ model.height * model.t.numerator }} as _fails
from distances
