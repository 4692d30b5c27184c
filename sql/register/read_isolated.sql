-- builds: isolated
-- reads: the saved recoding
-- one row: set of values, or person, whose records the release left out because it would isolate them
select *{% if renamed %} rename (_person as {{ renamed | ident }}){% endif +%}
from read_parquet({{ file | literal }}, hive_partitioning = false)
