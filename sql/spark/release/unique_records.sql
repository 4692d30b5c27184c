-- builds: unique_records
-- reads: release
-- one row: the written file: its records that no other record equals in all columns
with compared as (
    select count(*) as _rows
    from release
    group by
        {% for column in columns %}
        {{ "to_json(named_struct('cell', %s))" % (column.name | backticked) if column.is_nested else column.name | backticked }}{{ "," if not loop.last }}
        {% endfor %}
)

select cast(count(*) as bigint) as unique_records
from compared
where _rows = 1
