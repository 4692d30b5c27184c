-- builds: lookup_<column>
-- reads: values_<column>
-- one row: date of the data: its text, and on each level the calendar period that contains it, with the number of the period
{% from "dataset/dates.jinja" import moment_of with context %}
{% set years = {"decade": 10, "century": 100, "millennium": 1000} %}
{% set truncated = {"week-of-year": "week", "week-year": "week", "weekday": "day", "month-of-year": "month", "quarter-of-year": "quarter"} %}
{% set numbers = {"week-of-year": "weekofyear(moment)", "week-year": "isoyear(moment)", "weekday": "isodow(moment)", "month-of-year": "month(moment)", "quarter-of-year": "quarter(moment)"} %}
{% macro first_year(unit) -%}
(year(moment) - (year(moment) % {{ years[unit] }} + {{ years[unit] }}) % {{ years[unit] }})
{%- endmacro %}
{% macro name_of(unit) -%}
{% if unit in years -%}
'[' || {{ first_year(unit) }} || ', ' || ({{ first_year(unit) }} + {{ years[unit] }}) || ')'
{%- else -%}
{% for piece in patterns[unit] -%}
{{ "quarter(moment)" if piece is none else "strftime(date_trunc(%s, moment), %s)" % (truncated.get(unit, unit) | literal, piece | literal) }}{{ " || " if not loop.last }}
{%- endfor %}
{%- endif %}
{%- endmacro %}
{% macro number_of(unit) -%}
cast({{ first_year(unit) if unit in years else numbers.get(unit, "date_trunc(%s, moment)" % unit | literal) }} as varchar)
{%- endmacro %}
with moments as (
    select
        text,
        {{ moment_of(read) if read == "text" else "try_cast(value as timestamp)" }} as moment
    from {{ ("values_" ~ column) | ident }}
    where value is not null
        and not missing
),

dates as (
    select
        text,
        moment{{ "," if below or above }}
        {% if below or above %}
        case{% if below %} when moment < cast({{ below | literal }} as timestamp) then {{ ("<" ~ below) | literal }}{% endif %}{% if above %} when moment >= cast({{ above | literal }} as timestamp) then {{ (">=" ~ above) | literal }}{% endif %} end as coded
        {% endif %}
    from moments
    where moment >= timestamp '4713-01-01 (BC) 00:00:00'
        and moment < timestamp '100000-01-01 00:00:00'
        {% if least %}
        and moment >= cast({{ least | literal }} as timestamp)
        {% endif %}
        {% if beyond %}
        and moment < cast({{ beyond | literal }} as timestamp)
        {% endif %}
),

final as (
    select
        text as value,
        text as level_0,
        {% for unit in units %}
        {{ "coalesce(coded, %s)" % name_of(unit) if below or above else name_of(unit) }} as level_{{ loop.index }},
        {% endfor %}
        {{ top | literal }} as level_{{ units | length + 1 }},
        {% for unit in units %}
        {{ "coalesce(coded, %s)" % number_of(unit) if below or above else number_of(unit) }} as group_{{ loop.index }}{{ "," if not loop.last }}
        {% endfor %}
    from dates
)

select * from final
