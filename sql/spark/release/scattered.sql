-- builds: scattered
-- reads: recoded
-- one row: row to be released, with invalid text repaired; if rows are shuffled, their order depends only on released cells
select
    {% for column in columns %}
    {{ "validate_utf8(%s) as " % (column.name | backticked) if column.is_text }}{{ column.name | backticked }}{{ "," if not loop.last }}
    {% endfor %}
from recoded
{% if shuffle %}
{% set distributed = columns | rejectattr("is_nested") | map(attribute="name") | map("backticked") | join(", ") %}
distribute by xxhash64({{ distributed }})
sort by xxhash64({{ distributed }})
{% endif %}
