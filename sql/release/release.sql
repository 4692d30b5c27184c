-- builds: release
-- reads: the file that was written
-- one row: released row, as read back from the file
select *
{% if format == "parquet" %}
from read_parquet({{ path | literal }})
{% else %}
from read_csv({{ path | literal }}, delim = ',', header = true, all_varchar = true, allow_quoted_nulls = false)
{% endif %}
