-- builds: sampled_records
-- reads: records
-- one row: input row that takes part, or one of a sample of them: its values that may give others away, and those that must not be
{% from "dataset/sampled.jinja" import sampled %}
select
    {{ sampled(kept, quasi_identifiers) }}
from records
{% if percent is not none %}
using sample {{ percent }}% (bernoulli, 1)
{% endif %}
{% if most is not none %}
limit {{ most }}
{% endif %}
