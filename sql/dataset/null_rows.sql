-- builds: null_rows
-- reads: values_<column>
-- one row: the column: its rows without a value, or with a value that means missing
{% from "dataset/missing.jinja" import is_missing %}
select cast(coalesce(sum(_rows), 0) as bigint) as null_rows
from {{ ("values_" ~ column) | ident }}
where {{ "value is null" if missing is none else is_missing("value", missing) }}
