-- builds: row_codes
-- reads: source, values_<column>, levels_<column>
-- one row: the input row at a position, as the codes of its labels on every level; no row if it is left out because of missing values
{% from "dataset/missing.jinja" import present %}
with chosen as (
    select *
    from source
    limit 1 offset {{ offset }}
),

kept as (
    select *
    from chosen
    {{ present(dropped) | indent }}
)

select
    {% for attribute in attributes %}
    {% set last = loop.last %}
    {% for level in range(attribute.min_level, attribute.max_level + 1) %}
    {{ ("levels_" ~ attribute.name) | ident }}.level_{{ level }}{{ "," if not (last and loop.last) }}
    {% endfor %}
    {% endfor %}
from kept
{% for attribute in attributes %}
join {{ ("values_" ~ attribute.name) | ident }}
    on kept.{{ attribute.name | ident }} is not distinct from {{ ("values_" ~ attribute.name) | ident }}.value
join {{ ("levels_" ~ attribute.name) | ident }}
    on {{ ("values_" ~ attribute.name) | ident }}.code = {{ ("levels_" ~ attribute.name) | ident }}.code
{% endfor %}
