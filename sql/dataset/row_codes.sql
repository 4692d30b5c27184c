-- builds: row_codes
-- reads: source, values_<column>, levels_<column>
-- one row: the row of the input at a place, as the codes of its labels on every level; none where it has missing values and is left out
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
