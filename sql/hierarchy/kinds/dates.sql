-- builds: lookup_<column>
-- reads: values_<column>
-- one row: date of the data: its text, and on each level the calendar period that contains it, with the number of the period
{% from "dataset/dates.jinja" import moment_of with context %}
with moments as (
    select
        text,
        {{ moment_of("text") if reads_text else "try_cast(value as timestamp)" }} as moment
    from {{ ("values_" ~ column) | ident }}
    where value is not null
        and not missing
),

dates as (
    select
        text,
        moment,
        {{ coded }} as coded
    from moments
    where moment >= cast({{ least | literal }} as timestamp)
        and moment < cast({{ beyond | literal }} as timestamp)
),

final as (
    select
        text as value,
        text as level_0,
        {% for label, number in periods %}
        {{ label }} as level_{{ loop.index }},
        {% endfor %}
        {{ top | literal }} as level_{{ periods | length + 1 }},
        {% for label, number in periods %}
        {{ number }} as group_{{ loop.index }}{{ "," if not loop.last }}
        {% endfor %}
    from dates
)

select * from final
