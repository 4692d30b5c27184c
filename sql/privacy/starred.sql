-- builds: verdicts
-- reads: classes
-- one row: class, which fails where it does by itself, or joins the failing ones because they are too few to stand as a class
{% set asked = "greatest(_asked, %d)" % least_rows if own_k else least_rows %}
with judged as (
{% include starred_template +%}
),

ordered as (
    select
        *,
        sum(case when _fails then _rows else 0 end) over () as _failing,
        coalesce(sum(_rows) over (
            order by _fails desc, _rows, {{ class_keys | map("ident") | join(", ") }}
            rows between unbounded preceding and 1 preceding
        ), 0) as _before{{ "," if own_k }}
        {% if own_k %}
        max(_k) over (
            order by _fails desc, _rows, {{ class_keys | map("ident") | join(", ") }}
            rows between unbounded preceding and 1 preceding
        ) as _asked
        {% endif %}
    from judged
),

final as (
    select
        {% for key in class_keys %}
        {{ key | ident }},
        {% endfor %}
        _rows,
        {% if own_k %}
        _k,
        {% endif %}
        _fails or (_failing > 0 and _before < {{ asked }}) as _fails,
        not _fails and _failing > 0 and _before < {{ asked }} as _joins
    from ordered
)

select * from final
