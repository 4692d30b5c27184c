-- builds: lookup_<column>
-- reads: values_<column>
-- one row: number or date of the data: its text, and on each level the interval that contains it, with the number of the interval
{% from "dataset/numbers.jinja" import is_missing_token with context %}
{% from "hierarchy/parts.jinja" import parts %}
{% set rows = "floored" if is_printed else "present" %}
with present as (
    select
        text,
        value
    from {{ ("values_" ~ column) | ident }}
    where value is not null
        and not missing
),

{% if is_printed %}
numbers as (
    select
        text,
        try_cast(text as double) as approximately,
        regexp_replace(text, '(\.\d{18})\d+$', '\1') as digits,
        try_cast(digits as decimal(38, 18)) as number
    from present
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

{% endif %}
steps as (
    select
        text,
        {{ step }} as step
    from {{ rows }}
),

placed as (
    select
        text,
        {{ intervals.coded or "cast(null as varchar)" }} as coded,
        {{ intervals.position }} as position
    from steps
    where {{ intervals.conditions | join("\n        and ") }}
),

{{ parts(intervals.grid.cycles, "placed") | trim }}

{% for name, source, columns in intervals.bounds %}
{{ name }} as (
    select
        {{ columns | join(",\n        ") }}
    from {{ source }}
),

{% endfor %}
bounds as (
    select
        {{ (intervals.texts + ["*"]) | join(",\n        ") }}
    from starts_1
),

labelled as (
    select
        text as value,
        {{ "coalesce(coded, text)" if floor and intervals.coded else "text" }} as level_0,
        {% for label in intervals.labels + [top | literal] %}
        {{ label }} as level_{{ loop.index }},
        {% endfor %}
        {% for group in intervals.groups %}
        {{ group }} as group_{{ loop.index }}{{ "," if not loop.last }}
        {% endfor %}
    from bounds
)

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
