-- builds: disclosed_sizes
-- reads: released_sample, levels_<column>
-- one row: the rows in classes of fewer than k records or persons, or in split classes, for an adversary who sees a finer label of a quasi-identifier too
with sizes as (
    select
        count(*) as _rows,
        {{ "count(distinct _retained_0)" if of_persons else "count(*)" }} as _size,
        sum(count(*)) over (
            partition by
                {% for number in known %}
                released_sample._shown_{{ number }}{{ "," if not loop.last }}
                {% endfor %}
        ) as _class_rows
    from released_sample
    join {{ ("levels_" ~ name) | ident }} as levels
        on released_sample._code_{{ number }} = levels.code
    group by
        {% for number in known %}
        released_sample._shown_{{ number }},
        {% endfor %}
        levels.level_{{ level }}
)

select cast(coalesce(sum(_rows), 0) as bigint)
from sizes
where {{ "_rows < _class_rows" if k is none else "_size < %d" % k }}
