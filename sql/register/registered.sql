-- builds: registered
-- reads: the register
-- one row: registered release of the register, with its manifest
select
    _number,
    registered,
    path,
    source,
    k,
    entity,
    quasi_identifiers,
    manifest
from {{ register | ident }}.main.releases
order by _number
