-- builds: row_count
-- reads: a relation
-- one row: the relation: its rows, or the input rows for which its rows stand
select cast({{ "coalesce(sum(_rows), 0)" if has_rows else "count(*)" }} as bigint) as row_count
from {{ relation | ident }}
