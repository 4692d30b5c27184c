-- builds: written_achieved
-- reads: written_classes (perhaps written_histogram_<column>, written_shares_<column>, reference_<column>, entropy_comparisons)
-- one row: the written file: for each model, the minimum and maximum that its classes achieve
{% from "privacy/expected.jinja" import expected with context %}
with verdicts as (
{% include verdicts_template +%}
)

select
    {% for model in models %}
    min(_achieved_{{ model.number }}) as least_{{ model.number }},
    max(_achieved_{{ model.number }}) as most_{{ model.number }},
    {% endfor %}
    0 as required_k,
    coalesce(sum({{ expected() }}), 0) as expected,
    coalesce(sum(_rows), 0) as _rows
from verdicts
