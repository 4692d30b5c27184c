-- builds: calendar_parts
-- reads: values_<column>
-- one row: the column: for each calendar unit the number of periods that contain dates of the column
{% from "dataset/dates.jinja" import moment_of with context %}
with moments as (
    select {{ moment_of(read) if read == "text" else "try_cast(value as timestamp)" }} as moment
    from {{ ("values_" ~ column) | ident }}
    where value is not null
        and not missing
)

select
    {% for unit in units %}
    count(distinct {{ "isoyear(moment)" if unit == "week-year" else "date_trunc(%s, moment)" % (unit | literal) }}) as parts_{{ loop.index0 }}{{ "," if not loop.last }}
    {% endfor %}
from moments
where isfinite(moment)
