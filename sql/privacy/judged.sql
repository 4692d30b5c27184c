-- builds: judged
-- reads: classes (perhaps histogram, shares_<column>, decided_entropies)
-- one row: class, with what it achieves under each model, and whether it fails one of them
{% from "privacy/same_class.jinja" import same_class %}
with
{% if sensitives %}
numbered as materialized (
    select
        *,
        {% include "privacy/class_number.jinja" %} as _class
    from {{ classes }}
),

{% endif %}
{% for sensitive in sensitives %}
value_counts_{{ sensitive.number }} as materialized (
    select
        numbered._class,
        histogram._value_rows,
        numbered.{{ size }} as _class_rows,
        shares.* exclude (_value)
    from {{ sensitive.histogram | ident }} as histogram
    join numbered
        on {{ same_class(class_keys, "histogram", "numbered") }}
    join {{ sensitive.shares | ident }} as shares
        on histogram._value is not distinct from shares._value
),
{% if sensitive.counts_pairs %}

pairs_{{ sensitive.number }} as (
    select
        * exclude (_class_rows, _all_rows),
        cast(sum(_value_rows) over (partition by _class) as bigint) as _class_rows,
        _all_pairs as _all_rows
    from value_counts_{{ sensitive.number }}
),
{% endif %}

{% endfor %}
{% for model in models %}
{% set previous = ("numbered" if sensitives else classes) if loop.first else "judged_%d" % loop.index0 %}
{% if model.value_counts is none %}
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
        measured._fails as _fails_{{ model.number }}{{ "," if model.bounds_rows or model.is_doubtful }}
        {% if model.bounds_rows %}
        measured._most_passing as _most_passing_{{ model.number }}{{ "," if model.is_doubtful }}
        {% endif %}
        {% if model.is_doubtful %}
        measured._doubtful as _doubtful_{{ model.number }}
        {% endif %}
    from {{ previous }} as classes
    join measured_{{ model.number }} as measured
        on classes._class = measured._class
){{ "," if not loop.last }}
{% endif %}

{% endfor %}
select
    *{{ " exclude (_class)" if sensitives }},
    {{ models | map(attribute="fails") | join(" or ") }} as _fails
from judged_{{ models | length }}
