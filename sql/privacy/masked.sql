-- builds: verdicts
-- reads: classes (perhaps histogram, shares_<column>, entropy_comparisons)
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

{# the first stars mostly satisfy the requirement; the values of the others are counted only if none of them does #}
{% set places = {"near": "between", "far": "not between"} %}
{% for part, place in places.items() %}
candidates_{{ part }} as (
    select stars.*
    from stars
    cross join needed
    where stars._star >= greatest(1, needed.failing)
        and stars._star {{ place }} greatest(1, needed.failing) and greatest(1, needed.failing) + 15
        {% if average_risk is none %}
        and needed.failing > 0
        {% endif %}
        {% if part == "far" %}
        and not exists (select 1 from enough_near)
        {% endif %}
),

judged_{{ part }} as (
    with ends as (
        select
            min(_star) as _first,
            max(_star) as _last
        from candidates_{{ part }}
    ){{ "," if sensitives }}
    {% for sensitive in sensitives %}

    added_{{ sensitive.number }} as (
        select
            greatest(ordered._star, ends._first) as _star,
            shares._value,
            sum(histogram._value_rows) as _value_rows
        from ordered
        cross join ends
        join {{ sensitive.histogram | ident }} as histogram
            on {{ same_class(class_keys, "histogram", "ordered") | indent(8) }}
        join {{ sensitive.shares | ident }} as shares
            on histogram._value is not distinct from shares._value
        where ordered._star <= ends._last
        group by
            greatest(ordered._star, ends._first),
            shares._value
    ),

    star_histogram_{{ sensitive.number }} as (
        select *
        from (
            select
                candidates._star,
                present._value,
                cast(sum(coalesce(added._value_rows, 0)) over (partition by present._value order by candidates._star) as bigint) as _value_rows
            from candidates_{{ part }} as candidates
            cross join (
                select distinct _value
                from added_{{ sensitive.number }}
            ) as present
            left join added_{{ sensitive.number }} as added
                on candidates._star = added._star
                and present._value is not distinct from added._value
        ) as running
        where _value_rows > 0
    ){{ "," if not loop.last }}
    {% endfor %}

    select *
    from (
{% with classes = "candidates_" ~ part, class_keys = ["_star"], sensitives = star_sensitives %}
{% include "privacy/judged.sql" +%}
{% endwith %}
    ) as judged
),

enough_{{ part }} as (
    select judged._star
    from judged_{{ part }} as judged
    {% if average_risk is not none %}
    cross join needed
    {% endif %}
    where not judged._fails
        {% if average_risk is not none %}
        and (needed.classes - judged._star + 1) * cast({{ average_risk.denominator }} as hugeint) <= needed._rows * {{ average_risk.numerator }}
        {% endif %}
),

{% endfor %}
enough as (
    select coalesce(min(passing._star), max(needed.classes)) as _star
    from needed
    left join (
        select _star
        from enough_near
        union all
        select _star
        from enough_far
    ) as passing
        on true
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
