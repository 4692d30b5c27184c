-- builds: evaluated
-- reads: value_counts
-- one row: class, which fails if it has fewer than l sensitive values, or if the most frequent value has at least c times the rows of the l-th and all rarer values (Machanavajjhala et al. 2007)
with measures as (
    select
        _class,
        max(_class_rows) as _rows,
        count(*) as present,
        max(_value_rows) as most,
        {% if model.l < 3 %}
        {{ "max(_value_rows)" if model.l == 2 else 0 }} as more_frequent
        {% elif model.is_exported %}
        sum(case when _frequency < {{ model.l }} then _value_rows else 0 end) as more_frequent
        {% else %}
        list_sum(max(_value_rows, {{ model.l - 1 }})) as more_frequent
        {% endif %}
    from {{ model.value_counts }}
    group by
        _class
)

select
    _class,
    case when more_frequent < _rows then most / cast(_rows - more_frequent as double) else cast('Infinity' as double) end as _achieved,
    present < {{ model.l }}
        or cast(most as hugeint) * {{ model.c.denominator }} >= cast(_rows - more_frequent as hugeint) * {{ model.c.numerator }} as _fails,
    case
        when present < {{ model.l }} then 0
        else _rows - most + greatest(0, cast(_rows - more_frequent as hugeint) * {{ model.c.numerator }} - 1) // {{ model.c.denominator }}
    end as _most_passing
from measures
