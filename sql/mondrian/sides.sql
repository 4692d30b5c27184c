-- builds: sides
-- reads: cuts, cells (perhaps places)
-- one row: possible cut of a partition and distinct set of quasi-identifier values in it, with its side
{% set branching = attributes | rejectattr("is_ordered") | list %}
with located as (
    select
        cuts._partition,
        cuts._rank,
        cuts._variant,
        cuts._attribute,
        cuts._level,
        cuts._first,
        cuts._last,
        case cuts._attribute
            {% for attribute in attributes %}
            when {{ attribute.number }} then cells.{{ attribute.name | ident }}
            {% endfor %}
        end as position,
        cells._cell,
        {% for measure in measures %}
        cells.{{ measure }},
        {% endfor %}
        cells._rows
    from cuts
    join cells
        on cuts._partition = cells._partition
)

select
    located._partition,
    located._rank,
    located._variant,
    case
        {% if branching %}
        when located._first is null then branches.low
        {% endif %}
        when located.position between located._first and located._last then 0
        else 1
    end as _side,
    located._cell,
    {% for measure in measures %}
    located.{{ measure }},
    {% endfor %}
    located._rows
from located
{% if branching %}
left join places as branches
    on located._attribute = branches._attribute
    and located._level - 1 = branches.level
    and located.position = branches.position
{% endif %}
