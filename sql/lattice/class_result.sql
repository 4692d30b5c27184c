-- builds: class_result
-- reads: combinations or class_results (perhaps region_assignments, combination_entities, sensitive_<column>, value_entities_<column>, distribution_<column>, entropy_comparisons)
-- one row: class of a node or of a local recoding, with its rows, what it achieves under each model, which models it fails, and whether it is suppressed
{% if not are_evaluated %}
with {% include "privacy/class_results.jinja" +%}

{% endif %}
select
    class_results._rows,
    {% for rule in rules %}
    class_results._achieved_{{ rule }},
    class_results._fails_{{ rule }},
    {% endfor %}
    class_results._fails
from class_results
{% if are_evaluated %}
join region_assignments
    on class_results._class_number = region_assignments._class_number
{% endif %}
where {% for key, code in chosen.items() %}{{ "region_assignments" if are_evaluated else "class_results" }}.{{ key | ident }} = {{ code }}{{ "\n    and " if not loop.last }}{% endfor +%}
