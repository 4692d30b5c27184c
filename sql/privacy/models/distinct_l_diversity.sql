-- builds: evaluated
-- reads: value_counts
-- one row: class, which fails if it has fewer than l sensitive values, including NULL (Machanavajjhala et al. 2007), or fewer than l values of different persons
{% if persons %}
with ranked as (
    select
        _class,
        _class_rows,
        _value_rows,
        row_number() over by_frequency as rank,
        sum(_value_rows) over by_frequency - _value_rows as more_frequent
    from {{ model.value_counts }}
    window by_frequency as (partition by _class order by _value_rows desc, _position)
),

supplied as (
    select
        *,
        min(_value_rows + rank - 1) over (partition by _class order by rank) as by_others
    from ranked
),

measures as (
    select
        _class,
        greatest(count(*) filter (where more_frequent < _class_rows), count(*) filter (where by_others >= rank)) as present
    from supplied
    group by
        _class
)
{% else %}
with measures as (
    select
        _class,
        count(*) as present
    from {{ model.value_counts }}
    group by
        _class
)
{% endif %}

select
    _class,
    present as _achieved,
    present < {{ model.l }} as _fails
from measures
