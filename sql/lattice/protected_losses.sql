-- builds: protected_losses
-- reads: combinations, protected_<column> (perhaps combination_entities, sensitive_<column>, sensitive_entities_<column>, shares_<column>, entropy_comparisons)
-- one row: protected column, by its number, and value, as a code, with its rows in the failing classes of a node
with {% include "lattice/verdicts.jinja" +%}

{% for column in protected %}
select
    {{ loop.index0 }} as _column,
    protected._value,
    cast(sum(protected._value_rows) as bigint) as _lost
from {{ ("protected_" ~ column) | ident }} as protected
join verdicts
    on {% for key in keys %}protected.{{ key | ident }} = verdicts.{{ key | ident }}{{ "\n    and " if not loop.last }}{% endfor +%}
where verdicts._fails
group by protected._value
{% if not loop.last %}
union all
{% endif %}
{% endfor %}
