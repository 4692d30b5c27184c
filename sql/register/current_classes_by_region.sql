-- builds: current_classes
-- reads: current_cells, values_<column>, recoding_<column>, placements, verdicts
-- one row: distinct set of the values by which releases are compared, with its class in the new release, NULL if suppressed
{% from "register/labels.jinja" import labels %}
{% from "release/labelled.jinja" import same_codes with context %}
select
    current_cells.*,
    verdicts._class_number as _class
from current_cells
{{ labels(quasi_identifiers) }}
left join placements
    on {{ same_codes("placements") }}
left join verdicts
    on placements._class_number = verdicts._class_number
    and not verdicts._fails
