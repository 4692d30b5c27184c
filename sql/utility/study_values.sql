-- builds: study_values
-- reads: records
-- one row: value of an outcome in the source, as text, with its rows, the number of all values, and the mean and the deviation of those that are numbers; the most frequent values only
{% from "utility/readings.jinja" import number %}
with cells as (
    select
        cast({{ column | ident }} as varchar) as _text,
        {{ number(column | ident) }} as _number
    from records
    where {{ column | ident }} is not null
)

select
    _text,
    count(*) as _rows,
    count(*) over () as _values,
    (select avg(_number) from cells) as _mean,
    (select stddev_samp(_number) from cells) as _deviation
from cells
group by _text
order by
    _rows desc,
    _text
limit {{ most }}
