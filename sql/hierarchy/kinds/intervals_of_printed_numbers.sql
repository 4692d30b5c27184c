-- builds: lookup_<column>
-- reads: values_<column>
-- one row: value that prints as a number: its text, and on each level the interval that contains it, with the number of the interval
{% from "dataset/numbers.jinja" import is_missing_token with context %}
{% from "hierarchy/intervals.jinja" import labelled with context %}
with numbers as (
    select
        text,
        try_cast(text as double) as approximately,
        regexp_replace(text, '(\.\d{18})\d+$', '\1') as digits,
        try_cast(digits as decimal(38, 18)) as number
    from {{ ("values_" ~ column) | ident }}
    where value is not null
        and not missing
),

floored as (
    select
        text,
        approximately,
        case
            when cast(number as double) > approximately or (number <= 0 and text like '-%' and regexp_matches(text, '\.\d{18}0*[1-9]'))
                then number - cast(0.000000000000000001 as decimal(38, 18))
            else number
        end as number
    from numbers
),

steps as (
    select
        text,
        case
            when number is not null then {{ exactly }}
            when approximately < -1e19 and isfinite(approximately) then {{ far[0] | literal }}
            when approximately > 1e19 and isfinite(approximately) then {{ far[1] | literal }}
        end as step
    from floored
),

{{ labelled() }}

select * from labelled
{% if missing_tokens %}
union all
select
    {{ (["text"] * (intervals.labels | length + 2)) | join(", ") }},
    {{ top | literal }},
    {{ (["text" if intervals.coded else "null"] * (intervals.groups | length)) | join(", ") }}
from {{ ("values_" ~ column) | ident }}
where {{ is_missing_token("text") }}
    and not missing
{% endif %}
