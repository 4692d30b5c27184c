-- builds: lookup_<column>
-- reads: values_<column>
-- one row: code of the data: its text, and the text with more characters redacted on each higher level
with codes as (
    select
        text,
        {{ code }} as code
    from {{ ("values_" ~ column) | ident }}
    where value is not null
        and not missing
        and {{ is_code }}
),

padded as (
    select
        text,
        code,
        {{ padded }} as padded
    from codes
    where left(code, {{ length }}) = code
),

final as (
    select
        text as value,
        {% for label in labels %}
        {{ label }} as level_{{ loop.index0 }}{{ "," if not loop.last }}
        {% endfor %}
    from padded
)

select * from final
