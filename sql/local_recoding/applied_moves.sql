-- builds: assigned
-- reads: assigned, candidate_moves, labels_<column>
-- one row: distinct set of quasi-identifier values, with its pass, its released class, and the loss of its cells
with moved as (
    select
        assigned.* replace (
            {{ number }} as _pass,
            {% for attribute in attributes %}{{ "cast(%s as double) * labels_%d.loss" % (attribute.weight | literal, attribute.number) }}{{ " + " if not loop.last }}{% endfor %} as _cell_loss
        )
    from assigned
    join candidate_moves
        on assigned._cell = candidate_moves._cell
    {% for attribute, key, level in levels %}
    join {{ ("labels_" ~ attribute.name) | ident }} as labels_{{ attribute.number }}
        on labels_{{ attribute.number }}.level = {{ level }}
        and labels_{{ attribute.number }}.code = assigned.{{ key | ident }}
    {% endfor %}
    union all
    select *
    from assigned
    where not exists (
        select 1
        from candidate_moves
        where candidate_moves._cell = assigned._cell
    )
)

select * replace (
    case
        when _pass = {{ number }} then {{ number }} * {{ places }} + min(_cell) over (partition by _pass{% for key in class_keys %}, {{ key | ident }}{% endfor %})
        else _place
    end as _place
)
from moved
