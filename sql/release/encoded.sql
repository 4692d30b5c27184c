-- builds: encoded
-- reads: source, recoded (perhaps outside_<column>)
-- one row: input row in its place, with the labels of the recoding, and without labels where it does not cover the row
{% from "dataset/outside.jinja" import is_outside %}
select
    {% for cell in cells %}
    {% set name = cell.name | ident %}
    {% if cell.type %}
    cast(source.{{ name }} as {{ cell.type }}) as {{ name }}{{ "," if not loop.last }}
    {% else %}
    case
        when recoded.{{ number | ident }} is null then {{ cell.uncovered }}
        {% if cell.leader in hidden %}
        when {{ is_outside(cell.leader) | indent(8) }} then {{ cell.uncovered }}
        {% endif %}
        else recoded.{{ name }}
    end as {{ name }}{{ "," if not loop.last }}
    {% endif %}
    {% endfor %}
from source
left join recoded
    on source.{{ number | ident }} = recoded.{{ number | ident }}
order by source.{{ number | ident }}
