-- builds: json_keys
-- reads: the input
-- one row: key of the records, as it is written
select distinct unnest(json_keys(json)) as key
from read_json_objects({{ files | literal }})
order by key
