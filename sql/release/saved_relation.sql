-- builds: saved_relation
-- reads: the saved recoding
-- one row: row of a file in the folder of an earlier release: a cut, a record that it left out, or a sensitive value of its source
select *{% if renamed %} rename (_person as {{ renamed | ident }}){% endif +%}
from read_parquet({{ path | literal }}, hive_partitioning = false)
