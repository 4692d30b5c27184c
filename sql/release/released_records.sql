-- builds: released_records
-- reads: records, recoding_<column>, verdicts (perhaps placements)
-- one row: record that is released, with its values in the input
{% from "dataset/lookups.jinja" import by_value %}
{% from "release/labelled.jinja" import same_codes with context %}
select records.*
from records
{{ by_value("records", "recoding", quasi_identifiers) }}
{% if regional %}
join placements
    on {{ same_codes("placements") }}
join verdicts
    on placements._class_number = verdicts._class_number
{% else %}
join verdicts
    on {{ same_codes("verdicts") }}
{% endif %}
where not verdicts._fails
