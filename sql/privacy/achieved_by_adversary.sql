-- builds: achieved_by_adversary
-- reads: combinations or class_results or written_classes (perhaps combination_entities, sensitive_<column>, value_entities_<column>, class_members, class_values_<column>, written_histogram_<column>, distribution_<column>, reference_<column>, entropy_comparisons)
-- one row: the node, the local recoding or the written file, and an adversary: for each model, the minimum and maximum that the classes of the adversary achieve
{% from "privacy/seen.jinja" import seen_classes, seen_values with context %}
{% from "privacy/sets.jinja" import seen_sets %}
with {% if sets or are_evaluated %}{% include "privacy/released.jinja" +%}{% else %}released as (
    select *
    from {{ classes }}
){% endif +%},

{% if adversary.sets %}
{{ seen_sets("released", adversary) }},

evaluated as (
    select
        sum(_rows) as _rows,
        sum(_rows) as _achieved_{{ adversary.models[0].name }},
        sum(_rows) < {{ adversary.k }} as _fails
    from seen
    group by
        _set,
        _key
)
{% else %}
seen as (
    {{ seen_classes("released", adversary.known) | indent }}
),
{% for sensitive in adversary.sensitives %}

{{ sensitive.histogram }} as (
    {{ seen_values("released", sensitive.whole, adversary.known) | indent }}
),
{% endfor %}

evaluated as (
{% with classes = "seen", class_keys = adversary.known, models = adversary.models, sensitives = adversary.sensitives %}
{% include "privacy/evaluated.jinja" +%}
{% endwith %}
)
{% endif %}

select
    {% for model in adversary.models %}
    min(_achieved_{{ model.name }}) as least_{{ model.name }},
    max(_achieved_{{ model.name }}) as most_{{ model.name }},
    {% endfor %}
    {{ "coalesce(max(_k), 0)" if own_k else 0 }} as required_k,
    0 as expected,
    coalesce(sum(_rows), 0) as _rows,
    count(*) filter (where _fails) as failing_classes
from evaluated
