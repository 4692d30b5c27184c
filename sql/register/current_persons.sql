-- builds: current_persons
-- reads: records
-- one row: person of the input, as a hash
select distinct md5_number({{ salt | literal }} || cast({{ entity | ident }} as varchar)) as _hash
from records
where {{ entity | ident }} is not null
