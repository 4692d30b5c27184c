-- builds: overlap
-- reads: current_records or current_persons, the register
-- one row: two inputs: the hashes of records, or of persons, that both have, and those of each; up to the last hash that both lists would have
with current_hashes as (
    select _hash
    from {{ current }}
),

earlier_hashes as (
    select distinct {{ column }} as _hash
    from {{ register | ident }}.main.{{ earlier | ident }}
),

bounds as (
    select max(_hash) as _last
    from current_hashes
    having count(*) >= {{ most }}
    union all
    select max(_hash) as _last
    from earlier_hashes
    having count(*) >= {{ most }}
),

compared as (
    select
        current_hashes._hash as _now,
        earlier_hashes._hash as _then
    from current_hashes
    full join earlier_hashes
        on current_hashes._hash = earlier_hashes._hash
)

select
    count(*) filter (where _now = _then) as _shared,
    count(_now) as _now,
    count(_then) as _then
from compared
where coalesce(_now, _then) <= coalesce((
    select min(_last)
    from bounds
), coalesce(_now, _then))
