-- builds: combinations
-- reads: records, values_<column>, levels_<column>
-- one row: distinct set of quasi-identifier labels on the lowest levels that are allowed, as label codes for each level, with its rows
{% from "lattice/levels.jinja" import level_codes %}
with {% for qi in quasi_identifiers %}{{ ("labels_of_" ~ qi.name) | ident }} as (
    select
        present.value,
        levels.level_{{ qi.min_level }} as code
    from {{ ("values_" ~ qi.name) | ident }} as present
    join {{ ("levels_" ~ qi.name) | ident }} as levels
        on present.code = levels.code
),

{% endfor %}
counts as (
    select
        {% for qi in quasi_identifiers %}
        {{ ("labels_of_" ~ qi.name) | ident }}.code as {{ qi.name | ident }},
        {% endfor %}
        cast(count(*) as bigint) as _rows
    from records
    {% for qi in quasi_identifiers %}
    join {{ ("labels_of_" ~ qi.name) | ident }}
        on records.{{ qi.name | ident }} is not distinct from {{ ("labels_of_" ~ qi.name) | ident }}.value
    {% endfor %}
    group by all
)

select
    {{ level_codes(quasi_identifiers) }},
    counts._rows
from counts
{% for qi in quasi_identifiers %}
join (
    select distinct
        {% for level in range(qi.min_level, qi.max_level + 1) %}
        level_{{ level }}{{ "," if not loop.last }}
        {% endfor %}
    from {{ ("levels_" ~ qi.name) | ident }}
) as {{ ("levels_" ~ qi.name) | ident }}
    on counts.{{ qi.name | ident }} = {{ ("levels_" ~ qi.name) | ident }}.level_{{ qi.min_level }}
{% endfor %}
