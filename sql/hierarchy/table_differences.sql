-- builds: table_differences
-- reads: lookup_<column>
-- one row: line that one lookup table has more often than the other
{% macro table(name) -%}
select
    value,
    {% for level in range(1, height + 1) %}
    level_{{ level }}{{ "," if not loop.last }}
    {% endfor %}
from {{ ("lookup_" ~ name) | ident }}
{%- endmacro %}
({{ table(column) }}
except all
{{ table(other) }})
union all
({{ table(other) }}
except all
{{ table(column) }})
limit 1
