-- builds: ranges_<column>
-- reads: labels_<column> (perhaps recoding_<column>, regions)
-- one row: label of a quasi-identifier whose ranges are written as numbers: its bounds, its midpoint, and all labels with the same written numbers
{% from "release/ranges.jinja" import first_day, midpoint, part_of_calendar, typed %}
with shown as (
    select {{ name | ident if regional else "label" }} as label
    from {{ "regions" if regional else ("recoding_" ~ name) | ident }}
    {% if keep_suppressed_rows %}
    union
    select max(top) as label
    from {{ ("recoding_" ~ name) | ident }}
    {% endif %}
),

texts as (
    select distinct
        shown.label,
        case
            when regexp_full_match(shown.label, '\[.+, .+[)\]]') then regexp_extract(shown.label, '^\[(.+), .+[)\]]$', 1)
            when shown.label = '*' or shown.label = top.label or shown.label like '<%' then null
            else regexp_replace(shown.label, '^>= ?', '')
        end as low,
        case
            when regexp_full_match(shown.label, '\[.+, .+[)\]]') then regexp_extract(shown.label, '^\[.+, (.+)[)\]]$', 1)
            when shown.label = '*' or shown.label = top.label or shown.label like '>=%' then null
            else regexp_replace(shown.label, '^<=? ?', '')
        end as high
    from shown
    cross join (
        select max(label) as label
        from {{ ("labels_" ~ name) | ident }}
        where level = {{ height }}
    ) as top
),

ends as (
    {% if column.is_date %}
    select
        *,
        {{ typed(first_day("low"), column) | indent(8) }} as _min,
        {{ part_of_calendar("label", column) | indent(8) }} as part,
        case when part is null then {{ typed(first_day("high"), column) | indent(8) }} else cast(_min + part as {{ column.file_type }}) end as _max
    from texts
    {% else %}
    select
        *,
        {{ typed("low", column) }} as _min,
        {{ typed("high", column) }} as _max,
        null as part
    from texts
    {% endif %}
),

measured as (
    select
        label,
        _min,
        _max,
        {{ midpoint(column) }} as _midpoint,
        part is null and (label like '<= %' or (label not like '<%' and label not like '[%)')) as _includes_max,
        (low is null or _min is not null) and (high is null or _max is not null) as _is_read
    from ends
)

select
    *,
    string_agg(label, ' or ') over (
        partition by {{ values | join(", ") }}
        order by label
        rows between unbounded preceding and unbounded following
    ) as shown
from measured
