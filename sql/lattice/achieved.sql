-- builds: achieved
-- reads: combinations (perhaps combination_entities, sensitive_<column>, sensitive_entities_<column>, shares_<column>, entropy_comparisons)
-- one row: the node: for each model, the minimum and maximum that the released classes achieve
{% from "privacy/expected.jinja" import expected with context %}
{% from "privacy/same_class.jinja" import same_class %}
with {% include "lattice/verdicts.jinja" +%},

{% if stars %}
released as (
    select
        {% for key in class_keys %}
        case when _fails then null else {{ key | ident }} end as {{ key | ident }},
        {% endfor %}
        {% for measure in measures %}
        {{ measure.merged }}({{ measure.name }}) as {{ measure.name }},
        {% endfor %}
        cast(sum(_rows) as bigint) as _rows
    from verdicts
    group by all
),
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
{% include "privacy/judged.sql" +%}
{% endwith %}
)
{% else %}
shown as (
    select *
    from verdicts
    where not _fails
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
from shown
