-- builds: remaining
-- reads: remaining, passing
-- one row: distinct set of quasi-identifier values that no pass has released yet, as label codes for each level, with its rows
{% from "privacy/same_class.jinja" import same_class %}
select *
from remaining
where not exists (
    select 1
    from passing
    where {{ same_class(class_keys, "remaining", "passing") }}
)
