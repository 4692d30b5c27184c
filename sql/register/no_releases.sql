-- builds: releases
-- reads: nothing; the register is new
-- one row: registered release of the register, with its manifest
select
    cast(null as integer) as _number,
    cast(null as varchar) as registered,
    cast(null as varchar) as path,
    cast(null as varchar) as source,
    cast(null as integer) as k,
    cast(null as varchar) as entity,
    cast(null as varchar) as quasi_identifiers,
    cast(null as varchar) as manifest
where false
