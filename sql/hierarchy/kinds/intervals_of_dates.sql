-- builds: lookup_<column>
-- reads: values_<column>
-- one row: date of the data: its text, and on each level the interval that contains it, with the number of the interval
{% from "hierarchy/intervals.jinja" import labelled with context %}
with moments as (
    select
        text,
        try_cast({{ read }} as timestamp) as moment,
        {{ "datediff('day', date '1970-01-01', try_cast(%s as date))" % read if unit == "day" else "epoch_us(moment)" }} as step
    from {{ ("values_" ~ column) | ident }}
    where value is not null
        and not missing
),

steps as (
    select *
    from moments
    where isfinite(moment)
),

{{ labelled() }}

select * from labelled
