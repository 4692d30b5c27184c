-- builds: lookup_<column>
-- reads: values_<column>
-- one row: date of the data: its text, the part of the calendar that holds it on each level
{% set patterns = {
    "second": "%Y-%m-%d %H:%M:%S",
    "minute": "%Y-%m-%d %H:%M",
    "hour": "%Y-%m-%d %H:00",
    "day": "%Y-%m-%d",
    "week": "%G-W%V",
    "week-of-year": "W%V",
    "week-year": "%G",
    "weekday": "%A",
    "month": "%Y-%m",
    "month-of-year": "%B",
    "quarter": "%Y-Q%q",
    "quarter-of-year": "Q%q",
    "year": "%Y",
} %}
{% set years = {"decade": 10, "century": 100, "millennium": 1000} %}
{% set truncated = {"week-of-year": "week", "week-year": "week", "weekday": "day", "month-of-year": "month", "quarter-of-year": "quarter"} %}
{% macro name_of(unit) -%}
{% if unit in years -%}
'[' || (year(moment) // {{ years[unit] }} * {{ years[unit] }}) || ', ' || (year(moment) // {{ years[unit] }} * {{ years[unit] }} + {{ years[unit] }}) || ')'
{%- else -%}
{% set pattern = formats.get(unit, patterns[unit]) -%}
{% set begin = "date_trunc(%s, moment)" % truncated.get(unit, unit) | literal -%}
{% set pieces = pattern.split("%q") -%}
{% for piece in pieces %}{{ "strftime(%s, %s)" % (begin, piece | literal) if piece else "''" }}{% if not loop.last %} || quarter(moment) || {% endif %}{% endfor %}
{%- endif %}
{%- endmacro %}
with dates as (
    select
        text,
        try_cast({{ read }} as timestamp) as moment{{ "," if below or above }}
        {% if below or above %}
        case{% if below %} when moment < cast({{ below | literal }} as timestamp) then {{ ("<" ~ below) | literal }}{% endif %}{% if above %} when moment >= cast({{ above | literal }} as timestamp) then {{ (">=" ~ above) | literal }}{% endif %} end as coded
        {% endif %}
    from {{ ("values_" ~ column) | ident }}
    where value is not null
        and not missing
        and isfinite(try_cast({{ read }} as timestamp))
        {% if least %}
        and try_cast({{ read }} as timestamp) >= cast({{ least | literal }} as timestamp)
        {% endif %}
        {% if beyond %}
        and try_cast({{ read }} as timestamp) < cast({{ beyond | literal }} as timestamp)
        {% endif %}
),

final as (
    select
        text as value,
        text as level_0,
        {% for unit in units %}
        {{ "coalesce(coded, %s)" % name_of(unit) if below or above else name_of(unit) }} as level_{{ loop.index }},
        {% endfor %}
        {{ top | literal }} as level_{{ units | length + 1 }}
    from dates
)

select * from final
