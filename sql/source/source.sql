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
    {% elif header is not none %}
    header = {{ header | literal }},
    {% endif %}
    {% if as_text %}
    all_varchar = true,
    {% else %}
    sample_size = 200000,
    {% endif %}
    allow_quoted_nulls = false
)
{% endif %}
