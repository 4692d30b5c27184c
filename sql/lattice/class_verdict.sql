-- builds: class_verdict
-- reads: combinations (perhaps combination_entities, sensitive_<column>, sensitive_entities_<column>, shares_<column>, entropy_comparisons)
-- one row: class of a node, with its rows, what it achieves under each model, which models it fails, and whether it is suppressed
with {% include "lattice/verdicts.jinja" +%}

select
    _rows,
    {% for rule in rules %}
    _achieved_{{ rule.number }},
    _fails_{{ rule.number }},
    {% endfor %}
    _fails
from verdicts
where {% for key, code in chosen.items() %}{{ key | ident }} = {{ code }}{{ "\n    and " if not loop.last }}{% endfor +%}
