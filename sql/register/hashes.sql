-- builds: hashes
-- reads: current_records
-- one row: the hash of a row of the input of a registered release
select _hash
from current_records
