-- builds: released_records
-- reads: records, recoding_<column>, verdicts (perhaps placements)
-- one row: record that is released, with its values in the input
{% from "dataset/lookups.jinja" import by_value %}
{% from "release/labelled.jinja" import same_codes with context %}
select records.*
from {{ by_value("records", "recoding", quasi_identifiers) }}
{% if regional %}
join placements
    on {{ same_codes("placements") }}
{% endif %}
where not exists (
    select 1
    from verdicts
    where verdicts._fails
        and {{ "placements._class_number = verdicts._class_number" if regional else same_codes("verdicts") | indent }}
)
