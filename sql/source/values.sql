-- builds: values_<column>
-- reads: distinct_values
-- one row: distinct value of the quasi-identifier, with its code and its rows
with distincts as (
    select
        {{ qi | ident }}{% if floating %} + 0.0{% endif %} as value,
        _rows
    from distinct_values
    where _attribute = {{ attribute }}
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
