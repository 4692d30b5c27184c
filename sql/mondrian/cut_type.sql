-- builds: cut_type
-- reads: saved_partitions
-- one row: the column: its type when it was cut into ranges
select any_value(_type_{{ number }}) as type
from saved_partitions
where _is_region
