-- builds: values_<column>
-- reads: distinct_values (perhaps population_values)
-- one row: distinct value of the column, with its code and its rows
{% from "dataset/numbers.jinja" import order_of %}
{% from "dataset/missing.jinja" import is_missing %}
with distincts as (
    select
        {{ qi | ident }}{{ " + 0.0" if floating }} as value,
        _rows
    from distinct_values
    where _attribute = {{ attribute }}
    {% if population %}
    union all
    select
        {{ qi | ident }}{{ " + 0.0" if floating }} as value,
        0 as _rows
    from population_values
    where _attribute = {{ attribute }}
        and not exists (
            select 1
            from distinct_values
            where distinct_values._attribute = {{ attribute }}
                and distinct_values.{{ qi | ident }} is not distinct from population_values.{{ qi | ident }}
        )
    {% endif %}
)

select
    value,
    cast(value as varchar) as text,
    cast(row_number() over (order by {% if holds_numbers %}{{ order_of("value") }} nulls last, {% endif %}value nulls last) - 1 as {{ code_type }}) as code,
    {{ "false" if missing is none else is_missing("value", missing) }} as missing,
    _rows
from distincts
