-- builds: class_verdict
-- reads: combinations or verdicts (perhaps placements, combination_entities, sensitive_<column>, sensitive_entities_<column>, shares_<column>, entropy_comparisons)
-- one row: class of a node or of a local recoding, with its rows, what it achieves under each model, which models it fails, and whether it is suppressed
{% if not are_judged %}
with {% include "privacy/verdicts.jinja" +%}

{% endif %}
select
    verdicts._rows,
    {% for rule in rules %}
    verdicts._achieved_{{ rule.number }},
    verdicts._fails_{{ rule.number }},
    {% endfor %}
    verdicts._fails
from verdicts
{% if are_judged %}
join placements
    on verdicts._class_number = placements._class_number
{% endif %}
where {% for key, code in chosen.items() %}{{ "placements" if are_judged else "verdicts" }}.{{ key | ident }} = {{ code }}{{ "\n    and " if not loop.last }}{% endfor +%}
