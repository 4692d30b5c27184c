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
        numbered.{{ "_primary_persons" if persons > 1 else size }} as _class_rows,
        shares.* exclude (_value)
    from {{ sensitive.histogram | ident }} as histogram
    join numbered
        on {{ same_class(class_keys, "histogram", "numbered") }}
    join {{ sensitive.shares | ident }} as shares
        on histogram._value is not distinct from shares._value
),
{% if sensitive.partly_missing %}
{% if persons %}

known_persons_{{ sensitive.number }} as (
    select
        numbered._class,
        histogram._value_rows
    from {{ sensitive.histogram | ident }} as histogram
    join numbered
        on {{ same_class(class_keys, "histogram", "numbered") }}
    where histogram._value = {{ known_value }}
),
{% endif %}
{% set levels = range(sensitive.height + 1 if sensitive.height else 0) %}

known_counts_{{ sensitive.number }} as materialized (
    select
        counted._class,
        counted._value_rows,
        {{ "known._value_rows" if persons else "cast(sum(counted._value_rows) over (partition by counted._class) as bigint)" }} as _class_rows,
        counted._table_rows,
        counted._position,
        counted._reach,
        counted._reached_before,
        counted._known_rows as _all_rows,
        counted._known_pairs as _all_pairs,
        counted._known_values as _values,
        counted._known_reached as _all_reached{{ "," if levels }}
        {% for level in levels %}
        counted._label_{{ level }},
        counted._known_rows_{{ level }} as _table_rows_{{ level }}{{ "," if not loop.last }}
        {% endfor %}
    from value_counts_{{ sensitive.number }} as counted
    {% if persons %}
    join known_persons_{{ sensitive.number }} as known
        on counted._class = known._class
    {% endif %}
    where not counted._is_missing
),
{% endif %}
{% for known in (["", "known_"] if sensitive.partly_missing else [""]) if sensitive.counts_pairs %}

{{ known }}pairs_{{ sensitive.number }} as (
    select
        * exclude (_class_rows, _all_rows),
        cast(sum(_value_rows) over (partition by _class) as bigint) as _class_rows,
        _all_pairs as _all_rows
    from {{ known or "value_" }}counts_{{ sensitive.number }}
),
{% endfor %}

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
{% if model.known %}

known_{{ model.number }} as (
{% with model = model.known %}
{% include model.template +%}
{% endwith %}
),

{% if model.bounds_rows %}
missing_{{ model.number }} as (
    select
        _class,
        sum(case when _is_missing then _value_rows else 0 end) as _rows
    from value_counts_{{ model.of }}
    group by
        _class
),

{% endif %}
worse_{{ model.number }} as (
    select
        measured._class,
        {% if model.worst == "least" %}
        least(measured._achieved, coalesce(known._achieved, 0)) as _achieved,
        {% else %}
        greatest(measured._achieved, coalesce(known._achieved, cast('inf' as double))) as _achieved,
        {% endif %}
        {% if model.bounds_rows %}
        case
            when known._class is null or known._most_passing = 0 then 0
            else least(measured._most_passing, known._most_passing + missing._rows)
        end as _most_passing,
        {% endif %}
        {% if model.is_doubtful %}
        measured._doubtful or coalesce(known._doubtful, false) as _doubtful,
        {% endif %}
        measured._fails or coalesce(known._fails, true) as _fails
    from measured_{{ model.number }} as measured
    {% if model.bounds_rows %}
    join missing_{{ model.number }} as missing
        on measured._class = missing._class
    {% endif %}
    left join known_{{ model.number }} as known
        on measured._class = known._class
),
{% endif %}

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
    join {{ "worse" if model.known else "measured" }}_{{ model.number }} as measured
        on classes._class = measured._class
){{ "," if not loop.last }}
{% endif %}

{% endfor %}
select
    *{{ " exclude (_class)" if sensitives }},
    {{ models | map(attribute="fails") | join(" or ") }} as _fails
from judged_{{ models | length }}
