-- builds: group_counts
-- reads: values_<column>
-- one row: the column: the number of groups that each candidate for a level gives
{% from "dataset/dates.jinja" import moment_of with context %}
with readings as (
    select
        text,
        {{ moment_of("text") if moment == "text" else moment }} as moment,
        _rows / sum(_rows) over () as share
    from {{ ("values_" ~ column) | ident }}
    where value is not null
        and not missing
)

select {{ groups | join(",\n    ") }}
from readings
