-- builds: sampled_records
-- reads: records
-- one row: input row that takes part, or one of a sample of them: its values that may give others away, and those that must not be
{% from "release/treatments.jinja" import alike %}
select
    {% for column in kept %}
    {{ alike(column.treatment) if column.treatment else "try_cast(%s as double)" % (column.name | ident) if column.holds_numbers else column.name | ident }} as _kept_{{ loop.index0 }}{{ "," if quasi_identifiers or not loop.last }}
    {% endfor %}
    {% for qi in quasi_identifiers %}
    {{ qi | ident }} as _value_{{ loop.index0 }}{{ "," if not loop.last }}
    {% endfor %}
from records
{% if percent is not none %}
using sample {{ percent }}% (bernoulli, 1)
{% endif %}
{% if most is not none %}
limit {{ most }}
{% endif %}
