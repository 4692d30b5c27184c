-- builds: lookup_<column>
-- reads: values_<column>
-- one row: number or date of the data: its text, and on each level the interval that contains it, with the number of the interval
{% from "hierarchy/intervals.jinja" import labelled with context %}
with steps as (
    select
        text,
        {{ step }} as step
    from {{ ("values_" ~ column) | ident }}
    where value is not null
        and not missing
),

{{ labelled() }}

select * from labelled
