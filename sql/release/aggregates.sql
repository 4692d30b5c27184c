-- builds: aggregates
-- reads: records, recoding_<column> (perhaps placements, regions)
-- one row: class of the recoding, with what its rows show in place of their own values
{% from "release/labelled.jinja" import labelled with context %}
with {% if aggregates | selectattr("function", "equalto", "interval") | list and not show_extremes %}
ends as (
    select
        {% for column in aggregates %}
        {% set value = "try_cast(%s as double)" % (column.name | ident) if column.column.holds_numbers else column.name | ident %}
        min({{ value }}) as least_{{ column.number }},
        max({{ value }}) as most_{{ column.number }}{{ "," if not loop.last }}
        {% endfor %}
    from records
),

{% endif %}
final as (
    select
        {% if regional %}
        placements._class_number,
        {% else %}
        {% for qi, key in keys.items() %}
        {{ ("recoding_" ~ qi) | ident }}.code as {{ key | ident }},
        {% endfor %}
        {% endif %}
        {% for column in aggregates %}
        {% set value = "records." ~ (column.name | ident) %}
        {% set value = "try_cast(%s as double)" % value if column.column.holds_numbers and column.function in ("mean", "median", "interval") else value %}
        {% if column.function == "mean" %}
        {{ "round(avg(cast(%s as double)), %d)" % (value, column.round) if column.round is not none else "avg(cast(%s as double))" % value }}
        {%- elif column.function == "median" %}
        {{ "round(quantile_disc(%s, 0.5), %d)" % (value, column.round) if column.round is not none else "quantile_disc(%s, 0.5)" % value }}
        {%- elif column.function == "mode" %}
        mode({{ value }} order by {{ value }})
        {%- elif column.function == "set" %}
        '{' || array_to_string(list_sort(list_distinct(list({{ value }}) filter (where {{ value }} is not null))), ', ') || '}'
        {%- else %}
        case
            when min({{ value }}) = max({{ value }}) then cast(min({{ value }}) as varchar)
            {% if not show_extremes %}
            when min({{ value }}) = any_value(ends.least_{{ column.number }}) and max({{ value }}) = any_value(ends.most_{{ column.number }}) then '*'
            when min({{ value }}) = any_value(ends.least_{{ column.number }}) then '<= ' || cast(max({{ value }}) as varchar)
            when max({{ value }}) = any_value(ends.most_{{ column.number }}) then '>= ' || cast(min({{ value }}) as varchar)
            {% endif %}
            else '[' || cast(min({{ value }}) as varchar) || ', ' || cast(max({{ value }}) as varchar) || ']'
        end
        {%- endif %} as _shown_{{ column.number }}{{ "," if not loop.last }}
        {% endfor %}
    from records
    {{ labelled("records") | indent }}
    {% if aggregates | selectattr("function", "equalto", "interval") | list and not show_extremes %}
    cross join ends
    {% endif %}
    group by
        {% if regional %}
        placements._class_number
        {% else %}
        {% for qi in quasi_identifiers %}
        {{ ("recoding_" ~ qi) | ident }}.code{{ "," if not loop.last }}
        {% endfor %}
        {% endif %}
)

select * from final
