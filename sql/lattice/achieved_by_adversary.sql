-- builds: achieved_by_adversary
-- reads: combinations (perhaps combination_entities, sensitive_<column>, sensitive_entities_<column>, shares_<column>, entropy_comparisons)
-- one row: the node and an adversary: for each model, the minimum and maximum that the released classes of the adversary achieve
with {% include "lattice/verdicts.jinja" +%},

released as (
    {% if stars %}
    select
        {% for key in class_keys %}
        case when _fails then null else {{ key | ident }} end as {{ key | ident }},
        {% endfor %}
        cast(sum(_rows) as bigint) as _rows
    from verdicts
    group by all
    {% else %}
    select *
    from verdicts
    where not _fails
    {% endif %}
),

{% include "privacy/achieved_by_adversary.jinja" +%}
