-- builds: records
-- reads: source (perhaps isolated, isolated_<column>, outside_<column>)
-- one row: input row that takes part, without records that the release would isolate
{% from "dataset/isolated.jinja" import is_isolated %}
with admitted as (
{{ records }}
)

select *
from admitted
where not ({{ is_isolated("admitted", isolated) }})
