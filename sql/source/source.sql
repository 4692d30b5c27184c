-- builds: source
-- reads: the input file
-- one row: input row, as read
select *
{% if format == "parquet" %}
from read_parquet({{ path | literal }}, hive_partitioning = false)
{% else %}
from read_csv(
    {{ path | literal }},
    {% if delimiter is not none %}
    delim = {{ delimiter | literal }},
    {% endif %}
    {% if names is not none %}
    header = false,
    names = {{ names | literal }},
    {% endif %}
    {% if texts %}
    types = { {%- for name in texts %}{{ name | literal }}: 'varchar'{{ ", " if not loop.last }}{% endfor -%} },
    {% endif %}
    sample_size = 200000,
    hive_partitioning = false,
    allow_quoted_nulls = false
)
{% endif %}
