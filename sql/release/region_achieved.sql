-- builds: region_achieved
-- reads: verdicts
-- one row: the recoding: for each model, the minimum and maximum that the released classes achieve
{% from "privacy/expected.jinja" import expected with context %}
select
    {% for model in models %}
    min(_achieved_{{ model.number }}) as least_{{ model.number }},
    max(_achieved_{{ model.number }}) as most_{{ model.number }},
    {% endfor %}
    {{ "coalesce(max(_k), 0)" if own_k else 0 }} as required_k,
    coalesce(sum({{ expected() }}), 0) as expected,
    coalesce(sum(_rows), 0) as _rows
from verdicts
where not _fails
