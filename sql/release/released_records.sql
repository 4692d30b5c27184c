-- builds: released_records
-- reads: records, recoding_<column>, class_results (perhaps region_assignments)
-- one row: record that is released, with its values in the input
{% from "dataset/lookups.jinja" import by_value %}
{% from "release/labelled.jinja" import in_class, placed with context %}
select records.*
from {{ by_value("records", "recoding", quasi_identifiers) }}
{{ placed() }}
where not exists (
    select 1
    from class_results
    where class_results._fails
        and {{ in_class("class_results") | indent }}
)
