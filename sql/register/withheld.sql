-- builds: withheld
-- reads: source (perhaps isolated, isolated_<column>, outside_<column>)
-- one row: set of quasi-identifier values, as text, whose records a registered release left out because it would isolate them
{% from "dataset/isolated.jinja" import is_isolated %}
with admitted as (
{{ records }}
)

select
    {% for qi in quasi_identifiers %}
    cast({{ qi.name | ident }}{{ " + 0.0" if qi.is_floating }} as varchar) as _text_{{ loop.index }},
    {% endfor %}
    cast(count(*) as bigint) as _rows
from admitted
where {{ is_isolated("admitted", isolated) }}
group by all
