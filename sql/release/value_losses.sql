-- builds: value_losses
-- reads: records (perhaps release, released_records)
-- one row: column that is released unchanged, by its number, and value, with its rows and its suppressed rows
{% set rows = "cast(count(*) as bigint)" %}
{% macro counts(relation, rows, suppressed) -%}
select
    case
        {% for column in columns %}
        when grouping({{ column | ident }}) = 0 then {{ loop.index }}
        {% endfor %}
    end as _attribute,
    {% for column in columns %}
    {{ column | ident }} as _value_{{ loop.index }},
    {% endfor %}
    {{ rows }} as _rows,
    {{ suppressed }} as _suppressed
from {{ relation }}
group by grouping sets (
    {%- for column in columns %}({{ column | ident }}){{ ", " if not loop.last }}{% endfor -%}
)
{%- endmacro %}
with counts as (
    {{ counts("records", rows, rows) | indent }}
    union all
    {{ counts(released, "0", "-" ~ rows) | indent }}
)

select
    _attribute,
    {% for column in columns %}
    _value_{{ loop.index }},
    {% endfor %}
    cast(sum(_rows) as bigint) as _rows,
    cast(sum(_suppressed) as bigint) as _suppressed
from counts
group by all
