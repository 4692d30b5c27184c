-- builds: recoded
-- reads: records, recoding_<column> (perhaps labels_<column>, texts_<column>, class_results, aggregates, region_assignments, regions)
-- one row: row to be released, with the labels of the recoding
{% from "release/treatments.jinja" import released %}
select
    {% for column in columns %}
    {{ released(column, treatments.get(column), quasi_identifiers) }}{{ "," if not loop.last }}
    {% endfor %}
from (
{{ recoded }}
) as recoded
