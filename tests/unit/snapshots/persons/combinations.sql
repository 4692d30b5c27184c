-- builds: combinations
-- reads: entity_places
-- one row: distinct set of quasi-identifier values, as label codes for each level, with its rows
select
    * exclude (_entity, _places, _rows),
    count(*) filter (where _places = 1) as _persons,
    cast(sum(_rows) as bigint) as _rows
from entity_places
group by all
