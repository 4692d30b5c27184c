-- builds: protected_losses
-- reads: protected_<column> (perhaps combinations, class_results, region_assignments, combination_entities, sensitive_<column>, value_entities_<column>, distribution_<column>, entropy_comparisons)
-- one row: protected column, by its number, and value, as a code, with its rows in the failing classes, or outside all regions
{% from "dataset/lookups.jinja" import same_keys %}
{% if not are_evaluated %}
with {% include "privacy/class_results.jinja" +%}

{% endif %}
{% for column in protected %}
select
    {{ loop.index0 }} as _column,
    protected._value,
    cast(sum(protected._value_rows) as bigint) as _lost
from {{ ("protected_" ~ column) | ident }} as protected
{% if are_evaluated %}
left join region_assignments
    on {% for name, key in lowest.items() %}protected.{{ key | ident }} = region_assignments.{{ name | ident }}{{ "\n    and " if not loop.last }}{% endfor +%}
{% endif %}
left join class_results
    on {{ same_keys(class_keys, "region_assignments" if are_evaluated else "protected", "class_results") }}
where coalesce(class_results._fails, true)
group by protected._value
{% if not loop.last %}
union all
{% endif %}
{% endfor %}
