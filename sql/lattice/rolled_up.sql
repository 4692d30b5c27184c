-- builds: rolled_up_<column>
-- reads: packed_levels or rolled_up_<column>
-- one row: class of one node: the sum of the labels that stay, the labels of its higher levels, and its rows
{% set zero = ["cast(0 as %s)" % type] %}
select
    any_value({{ (zero + fixed | map("ident") | list) | join(" + ") }}) as _fixed,
    {% for key in kept %}
    any_value({{ key | ident }}) as {{ key | ident }},
    {% endfor %}
    cast(sum(_rows) as bigint) as _rows
from {{ relation | ident }}
group by {{ (zero + keys | map("ident") | list) | join(" + ") }}
