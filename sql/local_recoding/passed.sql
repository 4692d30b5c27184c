-- builds: passed
-- reads: remaining or released or assigned (perhaps passing)
-- one row: distinct set of quasi-identifier values, by its number, and the pass that releases it
{% from "privacy/same_class.jinja" import same_class %}
select
    _cell,
    {{ visit }} as _pass
from {{ relation }}
{% if passing %}
semi join {{ passing }}
    on {{ same_class(class_keys, relation, passing) }}
{% endif %}
