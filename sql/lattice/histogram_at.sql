-- builds: histogram_at
-- reads: sensitive_<column>
-- one row: equivalence class of a node and sensitive value in it, as codes, with its rows
select
    {{ keys | idents }},
    _value,
    cast(sum(_value_rows) as bigint) as _value_rows
from {{ sensitive.relation | ident }}
group by
    {{ keys | idents }},
    _value
