-- builds: protected_losses
-- reads: protected_<column> (perhaps combinations, verdicts, placements, combination_entities, sensitive_<column>, sensitive_entities_<column>, shares_<column>, entropy_comparisons)
-- one row: protected column, by its number, and value, as a code, with its rows in the failing classes, or outside all regions
{% from "dataset/lookups.jinja" import same_keys %}
{% if not are_judged %}
with {% include "privacy/verdicts.jinja" +%}

{% endif %}
{% for column in protected %}
select
    {{ loop.index0 }} as _column,
    protected._value,
    cast(sum(protected._value_rows) as bigint) as _lost
from {{ ("protected_" ~ column) | ident }} as protected
{% if are_judged %}
left join placements
    on {% for name, key in lowest.items() %}protected.{{ key | ident }} = placements.{{ name | ident }}{{ "\n    and " if not loop.last }}{% endfor +%}
{% endif %}
left join verdicts
    on {{ same_keys(class_keys, "placements" if are_judged else "protected", "verdicts") }}
where coalesce(verdicts._fails, true)
group by protected._value
{% if not loop.last %}
union all
{% endif %}
{% endfor %}
