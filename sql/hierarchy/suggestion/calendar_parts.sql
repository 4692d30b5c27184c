-- builds: calendar_parts
-- reads: values_<column>
-- one row: the column: for each calendar unit the number of periods that contain dates of the column
with moments as (
    select try_cast({{ read }} as timestamp) as moment
    from {{ ("values_" ~ column) | ident }}
    where value is not null
        and not missing
)

select
    {% for unit in units %}
    count(distinct date_trunc({{ unit | literal }}, moment)) as parts_{{ loop.index0 }}{{ "," if not loop.last }}
    {% endfor %}
from moments
where isfinite(moment)
