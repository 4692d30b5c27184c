-- builds: lookup_<column>
-- reads: values_<column>
-- one row: code of the data: its text, and the text with more characters redacted on each higher level
{% set whole = "regexp_replace(text, %s, '', 'g')" % ("\\.0$" if is_number else "[\\s\\p{Z}-]") | literal %}
{% macro labelled(step) -%}
{% if grouped and step < length -%}
case
            {% for label, beginnings in grouped.items() %}
            when left(padded, {{ beginnings[0] | length }}) in ({{ beginnings | map("literal") | join(", ") }}) then {{ label | literal }}
            {% endfor %}
            else {{ shown(step) }}
        end
{%- else -%}
{{ shown(step) }}
{%- endif %}
{%- endmacro %}
{% macro shown(step) -%}
{% if step == 0 -%}
{{ "code" if extension else "text" }}
{%- elif redact == "right" -%}
left(padded, {{ length - step }}) || {{ (character * step) | literal }}
{%- else -%}
{{ (character * step) | literal }} || right(padded, {{ length - step }})
{%- endif %}
{%- endmacro %}
with codes as (
    select
        text,
        {% if extension %}
        case
            when length({{ whole }}) <= {{ length }} then {{ whole }}
            {% if is_number and align == "right" %}
            when length({{ whole }}) between {{ length + extension // 2 + 1 }} and {{ length + extension }} then ltrim(left(lpad({{ whole }}, {{ length + extension }}, {{ pad | literal }}), {{ length }}), {{ pad | literal }})
            {% else %}
            when length({{ whole }}) = {{ length + extension }} then left({{ whole }}, {{ length }})
            {% endif %}
        end as code
        {% else %}
        text as code
        {% endif %}
    from {{ ("values_" ~ column) | ident }}
    where value is not null
        and not missing
        {% if extension and is_number %}
        and regexp_full_match({{ whole }}, '\d+')
        {% endif %}
),

padded as (
    select
        text,
        code,
        {{ "rpad" if align == "left" else "lpad" }}(code, {{ length }}, {{ pad | literal }}) as padded
    from codes
    where left(code, {{ length }}) = code
),

final as (
    select
        text as value,
        {{ labelled(0) if floor else shown(0) }} as level_0{{ "," if steps or top is not none }}
        {% for step in steps %}
        {{ labelled(step) }} as level_{{ loop.index }}{{ "," if not loop.last or top is not none }}
        {% endfor %}
        {% if top is not none %}
        {{ top | literal }} as level_{{ steps | length + 1 }}
        {% endif %}
    from padded
)

select * from final
