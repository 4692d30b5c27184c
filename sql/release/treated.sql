-- builds: recoded
-- reads: what the recoding gives
-- one row: row to be released, with pseudonyms, masks and shifted dates in place of what identifies directly
{% from "release/treatments.jinja" import treated %}
select
    {% for column in columns %}
    {% if column in treatments %}
    {{ treated(treatments[column]) }} as {{ column | ident }}{{ "," if not loop.last }}
    {% else %}
    recoded.{{ column | ident }}{{ "," if not loop.last }}
    {% endif %}
    {% endfor %}
from (
{{ recoded }}
) as recoded
