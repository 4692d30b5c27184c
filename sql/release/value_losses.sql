-- builds: value_losses
-- reads: records (perhaps release, recoding_<column>, class_results, region_assignments)
-- one row: column that is released unchanged, by its number, and value, with its rows and its suppressed rows
{% from "dataset/lookups.jinja" import by_value %}
{% from "release/labelled.jinja" import fails, placed with context %}
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
with {% if not of_file %}released as (
    select records.*
    from {{ by_value("records", "recoding", quasi_identifiers) | indent }}
    {{ placed() | indent }}
    where not {{ fails() | indent }}
),

{% endif %}
counts as (
    {{ counts("records", rows, rows) | indent }}
    union all
    {{ counts("release" if of_file else "released", "0", "-" ~ rows) | indent }}
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
