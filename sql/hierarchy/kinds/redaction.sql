-- builds: lookup_<column>
-- reads: values_<column>
-- one row: code of the data: its text, and the text with more characters redacted on each higher level
with padded as (
    select
        text,
        {{ "rpad" if align == "left" else "lpad" }}(text, {{ length }}, {{ pad | literal }}) as padded
    from {{ ("values_" ~ column) | ident }}
    where value is not null
        and not missing
        and length(text) <= {{ length }}
),

final as (
    select
        text as value,
        text as level_0{{ "," if steps or top is not none }}
        {% for step in steps %}
        {% if grouped and step < length %}
        case
            {% for label, beginnings in grouped.items() %}
            when left(padded, {{ beginnings[0] | length }}) in ({{ beginnings | map("literal") | join(", ") }}) then {{ label | literal }}
            {% endfor %}
            else left(padded, {{ length - step }}) || {{ (character * step) | literal }}
        end
        {%- elif redact == "right" %}
        left(padded, {{ length - step }}) || {{ (character * step) | literal }}
        {%- else %}
        {{ (character * step) | literal }} || right(padded, {{ length - step }})
        {%- endif %} as level_{{ loop.index }}{{ "," if not loop.last or top is not none }}
        {% endfor %}
        {% if top is not none %}
        {{ top | literal }} as level_{{ steps | length + 1 }}
        {% endif %}
    from padded
)

select * from final
