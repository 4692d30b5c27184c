-- builds: lookup_<column>
-- reads: values_<column>
-- one row: date of the data: its text, the part of the calendar that holds it on each level
with dates as (
    select
        text,
        cast(value as timestamp) as moment
    from {{ ("values_" ~ column) | ident }}
    where value is not null and not missing and isfinite(value)
),

final as (
    select
        text as value,
        text as level_0,
        {% for unit in units %}
        {% if unit == "hour" %}
        strftime(moment, '%Y-%m-%d %H:00')
        {%- elif unit == "day" %}
        strftime(moment, '%Y-%m-%d')
        {%- elif unit == "month" %}
        strftime(moment, '%Y-%m')
        {%- elif unit == "quarter" %}
        year(moment) || '-Q' || quarter(moment)
        {%- elif unit == "year" %}
        cast(year(moment) as varchar)
        {%- else %}
        {% set years = 10 if unit == "decade" else 100 %}
        (year(moment) // {{ years }} * {{ years }}) || '-' || (year(moment) // {{ years }} * {{ years }} + {{ years - 1 }})
        {%- endif %} as level_{{ loop.index }},
        {% endfor %}
        {{ top | literal }} as level_{{ units | length + 1 }}
    from dates
)

select * from final
