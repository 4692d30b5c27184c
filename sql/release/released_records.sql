-- builds: released_records
-- reads: records, recoding_<column>, verdicts (perhaps placements)
-- one row: record that is released, with its values in the input
{% from "dataset/lookups.jinja" import by_value %}
{% from "release/labelled.jinja" import in_class, placed with context %}
select records.*
from {{ by_value("records", "recoding", quasi_identifiers) }}
{{ placed() }}
where not exists (
    select 1
    from verdicts
    where verdicts._fails
        and {{ in_class("verdicts") | indent }}
)
