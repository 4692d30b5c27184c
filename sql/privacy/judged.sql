-- builds: judged
-- reads: classes (perhaps histogram, shares_<column>, entropy_comparisons)
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
{% set unjudged = "numbered" if sensitives else classes %}
{% filter trim %}{% include "privacy/judged_models.jinja" %}{% endfilter +%}

select
    *{{ " exclude (_class)" if sensitives }},
    {{ models | map(attribute="fails") | join(" or ") }} as _fails
from judged_{{ models | length }}
