-- builds: source
-- reads: the input file
-- one row: input row, as read
select *
{% if format == "parquet" %}
from read_parquet({{ path | literal }})
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
    sample_size = 200000,
    allow_quoted_nulls = false
)
{% endif %}
