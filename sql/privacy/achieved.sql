-- builds: achieved
-- reads: combinations or verdicts or written_classes (perhaps combination_entities, sensitive_<column>, sensitive_entities_<column>, written_histogram_<column>, shares_<column>, reference_<column>, written_shares_<column>, entropy_comparisons)
-- one row: the node, the local recoding or the written file: for each model, the minimum and maximum that the released classes achieve
{% from "privacy/expected.jinja" import expected with context %}
{% from "privacy/same_class.jinja" import same_class %}
{% set is_file = not (sets or are_judged) %}
with {% include "privacy/verdicts.jinja" if is_file else "privacy/released.jinja" +%}{{ "," if stars }}
{% if stars %}
{% for sensitive in sensitives %}

released_histogram_{{ sensitive.number }} as (
    select
        {% for key in class_keys %}
        case when verdicts._fails then null else verdicts.{{ key | ident }} end as {{ key | ident }},
        {% endfor %}
        counted._value,
        cast(sum(counted._value_rows) as bigint) as _value_rows
    from {{ sensitive.histogram }} as counted
    join verdicts
        on {{ same_class(class_keys, "counted", "verdicts") }}
    group by all
),
{% endfor %}

shown as (
{% with classes = "released", sensitives = released_sensitives %}
{% include "privacy/judged.jinja" +%}
{% endwith %}
)
{% endif %}

select
    {% for model in models %}
    min(_achieved_{{ model.number }}) as least_{{ model.number }},
    max(_achieved_{{ model.number }}) as most_{{ model.number }},
    {% endfor %}
    {{ "coalesce(max(_k), 0)" if own_k else 0 }} as required_k,
    coalesce(sum({{ expected() }}), 0) as expected,
    coalesce(sum(_rows), 0) as _rows
from {{ "shown" if stars else "verdicts" if is_file else "released" }}
