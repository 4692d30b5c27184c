-- builds: unique_records
-- reads: release (perhaps records)
-- one row: the written file, or the input: the distinct sets of values of all columns (NULL is a value), the rows of the smallest set, and the rows that differ from every other row
with sizes as (
    select count(*) as _rows
    from {{ relation }}
    group by
        {% for column in columns %}
        {{ "to_json(named_struct('cell', %s))" % (column.name | backticked) if column.is_nested else column.name | backticked }}{{ "," if not loop.last }}
        {% endfor %}
)

select
    count(*) as record_sets,
    min(_rows) as smallest,
    count(case when _rows = 1 then 1 end) as unique_records
from sizes
