-- builds: saved_relation
-- reads: the saved recoding
-- one row: row of a file in the folder of an earlier release: a cut, a record that it left out, or a sensitive value of its source
select *{{ " rename (_person as %s)" % (renamed | ident) if renamed }}
from read_parquet({{ path | literal }}, hive_partitioning = false)
