-- builds: values_<column>
-- reads: distinct_values (perhaps population_values)
-- one row: distinct value of the column, with its code and its rows
with distincts as (
    select
        {{ qi | ident }}{% if floating %} + 0.0{% endif %} as value,
        _rows
    from distinct_values
    where _attribute = {{ attribute }}
    {% if population %}
    union all
    select
        {{ qi | ident }}{% if floating %} + 0.0{% endif %} as value,
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
),

final as (
    select
        value,
        cast(value as varchar) as text,
        cast(row_number() over (order by value nulls last) - 1 as {{ code_type }}) as code,
        {% if missing is none %}
        false as missing,
        {% else %}
        coalesce({% if missing.as_text %}cast(value as varchar){% else %}value{% endif %} in ({% for token in missing.tokens %}{{ token | literal }}{{ ", " if not loop.last }}{% else %}null{% endfor %}), false){% if missing.null %} or value is null{% endif %} as missing,
        {% endif %}
        _rows
    from distincts
)

select * from final
