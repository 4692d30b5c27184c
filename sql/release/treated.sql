-- builds: recoded
-- reads: records, recoding_<column> (perhaps labels_<column>, texts_<column>, verdicts, aggregates, placements, regions)
-- one row: row to be released, with the labels of the recoding
{% from "release/treatments.jinja" import treated %}
{% set labels = [] %}
{% for qi in quasi_identifiers %}{{ labels.append("recoded.%s" % (qi | ident)) or "" }}{% endfor %}
select
    {% for column in columns %}
    {% if column in treatments %}
    {{ treated(treatments[column], "recoded.%s" % (column | ident), "recoded.%s" % (treatments[column].by | ident) if treatments[column].by else "", labels) }} as {{ column | ident }}{{ "," if not loop.last }}
    {% else %}
    recoded.{{ column | ident }}{{ "," if not loop.last }}
    {% endif %}
    {% endfor %}
from (
{{ recoded }}
) as recoded
