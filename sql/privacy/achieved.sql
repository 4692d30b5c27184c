-- builds: achieved
-- reads: combinations or class_results or written_classes (perhaps combination_entities, sensitive_<column>, value_entities_<column>, written_histogram_<column>, distribution_<column>, reference_<column>, written_shares_<column>, entropy_comparisons)
-- one row: the node, the local recoding or the written file: for each model, the minimum and maximum that the released classes achieve, and the classes of the file that fail
{% from "privacy/same_class.jinja" import same_class %}
{% set is_file = not (sets or are_evaluated) %}
with {% include "privacy/class_results.jinja" if is_file else "privacy/released.jinja" +%}{{ "," if keep_suppressed_rows }}
{% if keep_suppressed_rows %}
{% for sensitive in sensitives %}

released_histogram_{{ sensitive.number }} as (
    select
        {% for key in class_keys %}
        case when class_results._fails then null else class_results.{{ key | ident }} end as {{ key | ident }},
        {% endfor %}
        counted._value,
        cast(sum(counted._value_rows) as bigint) as _value_rows
    from {{ sensitive.histogram }} as counted
    join class_results
        on {{ same_class(class_keys, "counted", "class_results") }}
    group by all
),
{% endfor %}

shown as (
{% with classes = "released", sensitives = released_sensitives %}
{% include "privacy/evaluated.jinja" +%}
{% endwith %}
)
{% endif %}

select
    {% for model in models %}
    min(_achieved_{{ model.name }}) as least_{{ model.name }},
    max(_achieved_{{ model.name }}) as most_{{ model.name }},
    {% endfor %}
    {{ "coalesce(max(_k), 0)" if own_k else 0 }} as required_k,
    coalesce(sum({{ expected }}), 0) as expected,
    coalesce(sum(_rows), 0) as _rows,
    {{ "count(case when _fails then 1 end)" if is_file else 0 }} as failing_classes,
    {{ "min(case when _fails then _rows end)" if is_file else "null" }} as smallest_failing
from {{ "shown" if keep_suppressed_rows else "class_results" if is_file else "released" }}
