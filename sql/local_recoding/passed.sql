-- builds: passed
-- reads: remaining, passing
-- one row: distinct set of quasi-identifier values, by its number, and the pass that releases it
{% from "privacy/same_class.jinja" import same_class %}
select
    remaining._cell,
    {{ number }} as _pass
from remaining
join passing
    on {{ same_class(class_keys, "remaining", "passing") }}
