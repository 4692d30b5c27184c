-- builds: source
-- reads: source_file
-- one row: input row, with the codes of missing values as NULL
select
    {% for column in columns %}
    {% if column in codes %}
    case when cast({{ column | ident }} as varchar) not in ({{ codes[column] | map("literal") | join(", ") }}) then {{ column | ident }} end as {{ column | ident }}{{ "," if not loop.last }}
    {% else %}
    {{ column | ident }}{{ "," if not loop.last }}
    {% endif %}
    {% endfor %}
from source_file
