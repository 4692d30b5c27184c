-- builds: verdicts
-- reads: classes (perhaps histogram, shares_<column>, decided_entropies)
-- one row: class, which fails if it fails a model, or if it joins the failing classes because these do not satisfy the requirement as one class
{% set keys = class_keys | map("ident") | join(", ") %}
{% from "privacy/same_class.jinja" import same_class %}
with judged as (
{% include "privacy/judged.sql" +%}
),

ordered as (
    select
        *,
        row_number() over (order by _fails desc, _rows, {{ keys }}) as _star
    from judged
),

needed as (
    select
        count(*) as classes,
        count(*) filter (where _fails) as failing,
        sum(_rows) as _rows
    from ordered
),

stars as (
    select
        ordered._star,
        {% for measure in measures %}
        {{ measure.merged }}(ordered.{{ measure.name }}) over by_star as {{ measure.name }},
        {% endfor %}
        cast(sum(ordered._rows) over by_star as bigint) as _rows
    from ordered
    window by_star as (order by ordered._star)
),

candidates as (
    select stars.*
    from stars
    cross join needed
    where stars._star >= greatest(1, needed.failing)
),
{% for sensitive in sensitives %}

star_histogram_{{ sensitive.number }} as (
    select *
    from (
        select
            ordered._star,
            shares._value,
            cast(sum(coalesce(histogram._value_rows, 0)) over (partition by shares._value order by ordered._star) as bigint) as _value_rows
        from ordered
        cross join {{ sensitive.shares | ident }} as shares
        left join {{ sensitive.histogram | ident }} as histogram
            on {{ same_class(class_keys, "histogram", "ordered") }}
            and histogram._value is not distinct from shares._value
    ) as running
    where _value_rows > 0
),
{% endfor %}

judged_stars as (
{% with classes = "candidates", class_keys = ["_star"], sensitives = star_sensitives %}
{% include "privacy/judged.sql" +%}
{% endwith %}
),

enough as (
    select coalesce(min(judged_stars._star), max(needed.classes)) as _star
    from needed
    left join judged_stars
        on not judged_stars._fails
        {% if average_risk is not none %}
        and (needed.classes - judged_stars._star + 1) * cast({{ average_risk.denominator }} as hugeint) <= needed._rows * {{ average_risk.numerator }}
        {% endif %}
),

final as (
    select
        ordered.* exclude (_star, _fails),
        {% set needs = "needed.failing > 0" %}
        {% if average_risk is not none %}
        {% set needs = "(needed.failing > 0 or needed.classes * cast(%d as hugeint) > needed._rows * %d)" % (average_risk.denominator, average_risk.numerator) %}
        {% endif %}
        {{ needs }} and ordered._star <= enough._star as _fails,
        {{ needs }} and ordered._star <= enough._star and not ordered._fails as _joins
    from ordered
    cross join needed
    cross join enough
)

select * from final
