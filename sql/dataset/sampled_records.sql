-- builds: sampled_records
-- reads: records, or row_sample
-- one row: input row that takes part, or row of a sample of these: the values of retained columns and of quasi-identifiers
{% from "dataset/sampled.jinja" import sampled %}
select
    {{ sampled(kept, quasi_identifiers) }}
from {{ rows }}
{% if percent is not none %}
using sample {{ percent }}% (bernoulli, 1)
{% endif %}
