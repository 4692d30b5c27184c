-- builds: sampled_levels
-- reads: records, values_<column>, levels_<column>
-- one row: row of a sample, with the label code of each quasi-identifier on each level
{% from "dataset/lookups.jinja" import by_value %}
{% from "lattice/levels.jinja" import level_codes %}
{% set names = quasi_identifiers | map(attribute="name") | list %}
with sampled as (
    select
        {{ names | idents | indent }}
    from records
    using sample {{ percent }}% (bernoulli, 1)
)

select
    {{ level_codes(quasi_identifiers) }}
from {{ by_value("sampled", "values", names) }}
{% for name in names %}
join {{ ("levels_" ~ name) | ident }}
    on {{ ("values_" ~ name) | ident }}.code = {{ ("levels_" ~ name) | ident }}.code
{% endfor %}
