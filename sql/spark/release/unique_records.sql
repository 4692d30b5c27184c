-- builds: unique_records
-- reads: release (perhaps records)
-- one row: the written file, or the input: its records that differ from every other record
with compared as (
    select count(*) as _rows
    from {{ relation }}
    group by
        {% for column in columns %}
        {{ "to_json(named_struct('cell', %s))" % (column.name | backticked) if column.is_nested else column.name | backticked }}{{ "," if not loop.last }}
        {% endfor %}
)

select cast(count(*) as bigint) as unique_records
from compared
where _rows = 1
