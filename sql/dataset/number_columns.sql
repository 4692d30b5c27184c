-- builds: number_columns
-- reads: distinct_values (perhaps population_values)
-- one row: text column whose values are numbers or marks of missing values, with at least one number
{% from "dataset/numbers.jinja" import holds_numbers with context %}
with texts as (
    {% for relation, attributes in relations.items() %}
    select
        _attribute,
        case _attribute
            {% for attribute, name in attributes.items() %}
            when {{ attribute }} then {{ name | ident }}
            {% endfor %}
        end as text
    from {{ relation }}
    {% if not loop.last %}
    union all
    {% endif %}
    {% endfor %}
)

select _attribute
from texts
group by _attribute
having {{ holds_numbers("text") }}
order by _attribute
