-- builds: isolated_row
-- reads: source (perhaps isolated, isolated_<column>)
-- one row: the input row at a position, if it is left out because the release would isolate it
{% from "dataset/isolated.jinja" import is_isolated %}
with chosen as (
    select *
    from source
    limit 1 offset {{ offset }}
)

select 1 as _is_isolated
from chosen
where {{ is_isolated("chosen", isolated) }}
