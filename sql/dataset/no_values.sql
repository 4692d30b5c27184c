-- builds: values_<column>
-- reads: nothing; there is no data
-- one row: distinct value of the quasi-identifier, with its code and its rows
select
    cast(null as varchar) as value,
    cast(null as varchar) as text,
    cast(null as uinteger) as code,
    false as missing,
    cast(null as bigint) as _rows
where false
