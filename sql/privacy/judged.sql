-- builds: judged
-- reads: classes (perhaps histogram, shares_<column>, decided_entropies)
-- one row: class, with what it achieves under each model, and whether it fails one of them
{% from "privacy/same_class.jinja" import same_class %}
with
{% for sensitive in sensitives %}
told_{{ sensitive.number }} as (
    select
        histogram.*,
        classes._rows as _class_rows,
        shares.* exclude (_value)
    from {{ sensitive.histogram | ident }} as histogram
    join {{ classes }} as classes
        on {{ same_class(class_keys, "histogram", "classes") }}
    join {{ sensitive.shares | ident }} as shares
        on histogram._value is not distinct from shares._value
),

{% endfor %}
{% for model in models %}
{% set previous = classes if loop.first else "judged_%d" % loop.index0 %}
{% if model.told is none %}
judged_{{ model.number }} as (
{% include model.template +%}
){{ "," if not loop.last }}
{% else %}
measured_{{ model.number }} as (
{% include model.template +%}
),

judged_{{ model.number }} as (
    select
        classes.*,
        measured._achieved as _achieved_{{ model.number }},
        measured._fails as _fails_{{ model.number }}{{ "," if model.is_doubtful }}
        {% if model.is_doubtful %}
        measured._doubtful as _doubtful_{{ model.number }}
        {% endif %}
    from {{ previous }} as classes
    join measured_{{ model.number }} as measured
        on {{ same_class(class_keys, "classes", "measured") }}
){{ "," if not loop.last }}
{% endif %}

{% endfor %}
select
    *,
    {{ models | map(attribute="fails") | join(" or ") }} as _fails
from judged_{{ models | length }}
