-- builds: record_rows
-- reads: records
-- one row: the input: its number of rows that take part
select cast(count(*) as bigint) as record_rows
from records
