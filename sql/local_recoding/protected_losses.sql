-- builds: protected_losses
-- reads: protected_<column>, placements, verdicts
-- one row: protected column, by its number, and value, as a code, with its rows in failing classes or outside all regions
{% for column in protected %}
select
    {{ loop.index0 }} as _column,
    protected._value,
    cast(sum(protected._value_rows) as bigint) as _lost
from {{ ("protected_" ~ column) | ident }} as protected
left join placements
    on {% for name, key in keys.items() %}protected.{{ key | ident }} = placements.{{ name | ident }}{{ "\n    and " if not loop.last }}{% endfor +%}
left join verdicts
    on placements._class_number = verdicts._class_number
where verdicts._fails is null
    or verdicts._fails
group by protected._value
{% if not loop.last %}
union all
{% endif %}
{% endfor %}
