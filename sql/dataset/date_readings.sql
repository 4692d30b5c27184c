-- builds: date_readings
-- reads: source
-- one row: the column: its different values without marks of missing values, these marks, and how many values look like dates, are written as ISO 8601, are not digits alone, have a short year, have a time of day, fit each reading, have a short year in an unknown century in each order, and differ between two orders
{% from "dataset/dates.jinja" import as_read, moment_of with context %}
{% from "dataset/numbers.jinja" import is_missing_token with context %}
with cells as (
    select distinct
        cast({{ column | ident }} as varchar) as cell
    from source
    where {{ column | ident }} is not null
        {% if codes %}
        and cast({{ column | ident }} as varchar) not in ({{ codes | map("literal") | join(", ") }})
        {% endif %}
),

readings as (
    select
        cell,
        regexp_full_match(lower(strip_accents(trim(cell))), {{ looks | literal }}) as is_alike,
        {{ moment_of("cell") }} is not null as is_iso,
        not regexp_matches(cell, '[0-9]{4}') as is_short{{ "," if readings }}
        {% for reading in readings %}
        {{ as_read("cell", reading) }} as {{ ("read_" ~ reading) | ident }}{{ "," if not loop.last }}
        {% endfor %}
    from cells
    where not {{ is_missing_token("cell") }}
)

select
    count(*) as present,
    (select coalesce(list(cell), []) from cells where {{ is_missing_token("cell") }}) as missing_tokens,
    count(*) filter (where is_alike) as alike,
    count(*) filter (where is_iso) as iso,
    count(*) filter (where not regexp_full_match(cell, '[0-9]+')) as separated,
    count(*) filter (where is_short) as short,
    count(*) filter (where cell like '%:%') as times,
    {% for reading in readings %}
    count({{ ("read_" ~ reading) | ident }}) as {{ ("fitting_" ~ loop.index0) | ident }},
    {% endfor %}
    {% for order in orders %}
    count(*) filter (where is_short and year({{ ("read_" ~ order) | ident }}) >= {{ century }}) as {{ ("unclear_" ~ loop.index0) | ident }},
    {% endfor %}
    {% for one, other in pairs %}
    count(*) filter (where {{ ("read_" ~ one) | ident }} <> {{ ("read_" ~ other) | ident }}) as {{ ("differing_" ~ loop.index0) | ident }}{{ "," if not loop.last }}
    {% endfor %}
from readings
