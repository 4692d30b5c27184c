-- builds: current_classes
-- reads: current_cells, values_<column>, recoding_<column>, class_results (perhaps region_assignments)
-- one row: distinct set of the values by which releases are compared, with its class in the new release, NULL if suppressed
{% from "register/labels.jinja" import labels %}
{% from "release/labelled.jinja" import in_class, placed with context %}
with released_classes as (
    select
        *,
        row_number() over () as _class
    from class_results
    where not _fails
)

select
    current_cells.*,
    released_classes._class
from current_cells
{{ labels(quasi_identifiers) }}
{{ placed("left join") }}
left join released_classes
    on {{ in_class("released_classes") }}
