-- builds: class_verdict
-- reads: placements, verdicts
-- one row: released class of a set of quasi-identifier values, with what it achieves, which models it fails, and whether it is suppressed
select
    verdicts._rows,
    {% for rule in rules %}
    verdicts._achieved_{{ rule.number }},
    verdicts._fails_{{ rule.number }},
    {% endfor %}
    verdicts._fails
from placements
join verdicts
    on placements._class_number = verdicts._class_number
where {% for name, code in chosen.items() %}placements.{{ name | ident }} = {{ code }}{{ "\n    and " if not loop.last }}{% endfor +%}
