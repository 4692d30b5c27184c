-- builds: source
-- reads: the input
-- one row: input row, as read
{% if kind == "declared" %}
select
    {% for column in declared %}
    cast(null as {{ column.type }}) as {{ column.name | ident }}{{ "," if not loop.last }}
    {% endfor %}
where false
{% else %}
select *{% if replaced %} replace (
    {% for name, as_text in replaced.items() %}
    {{ ("cast(%s as varchar)" if as_text else "%s collate \"binary\"") | format(name | ident) }} as {{ name | ident }}{{ "," if not loop.last }}
    {% endfor %}
){% endif +%}
{% endif %}
{% if kind == "duckdb" %}
from {{ table | map("ident") | join(".") }}
{% elif kind != "declared" %}
from read_{{ kind }}(
    {{ files | literal }},
    {% if kind == "csv" %}
    auto_detect = false,
    delim = {{ delimiter | literal }},
    quote = '"',
    escape = '"',
    header = {{ header | literal }},
    columns = {{ columns | literal }},
    max_line_size = 100000000,
    allow_quoted_nulls = false,
    {% elif kind == "json" and columns is none %}
    sample_size = -1,
    {% elif kind == "json" %}
    columns = {{ columns | literal }},
    {% endif %}
    {% if partitions %}
    hive_types = { {%- for name, type in partitions.items() %}{{ name | ident }}: {{ type }}{{ ", " if not loop.last }}{% endfor -%} },
    {% endif %}
    hive_partitioning = {{ (partitions | length > 0) | literal }}
)
{% endif %}
