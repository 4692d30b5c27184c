-- builds: releases
-- reads: the register
-- one row: release of the register after the change, with its manifest
select *
from {{ register | ident }}.main.releases
where _number <> {{ number }}
{% if added %}
union all
select
    {{ number }} as _number,
    {{ added.registered | literal }} as registered,
    {{ added.path | literal }} as path,
    {{ added.source | literal }} as source,
    {{ added.k }} as k,
    {{ added.entity | literal }} as entity,
    {{ added.quasi_identifiers | literal }} as quasi_identifiers,
    {{ added.manifest | literal }} as manifest
{% endif %}
