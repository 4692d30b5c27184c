-- builds: answers
-- reads: outcomes, label_sets, shown_<column>, covered_<column>, queries
-- one row: count query, with its result on the data and its estimate from the release (rows are spread evenly over the values under each label)
with query_ranges as (
    select *
    from queries
    where _set = {{ number }}
),
{% for attribute in attributes %}

share_{{ attribute.number }} as (
    select
        query_ranges._query,
        covered._label,
        sum(greatest(0, least(covered._last, query_ranges._high_{{ loop.index }}) - greatest(covered._first, query_ranges._low_{{ loop.index }}) + 1)) as _named,
        cast(_named as double) / sum(covered._last - covered._first + 1) as _share
    from {{ ("covered_" ~ attribute.name) | ident }} as covered
    cross join query_ranges
    group by
        query_ranges._query,
        covered._label
    having _named > 0
),
{% endfor %}

truth as (
    select
        query_ranges._query,
        sum(cells._rows) as _rows
    from (
        select
            {% for attribute in attributes %}
            place_{{ attribute.number }}._place as _place_{{ loop.index }},
            {% endfor %}
            sum(outcomes._rows) as _rows
        from outcomes
        {% for attribute in attributes %}
        join (
            select distinct
                code,
                _place
            from {{ ("shown_" ~ attribute.name) | ident }}
        ) as place_{{ attribute.number }}
            on outcomes.{{ attribute.name | ident }} = place_{{ attribute.number }}.code
        {% endfor %}
        group by
            {% for attribute in attributes %}
            place_{{ attribute.number }}._place{{ "," if not loop.last }}
            {% endfor %}
    ) as cells
    join query_ranges
        on {% for attribute in attributes %}cells._place_{{ loop.index }} between query_ranges._low_{{ loop.index }} and query_ranges._high_{{ loop.index }}{{ "\n        and " if not loop.last }}{% endfor +%}
    group by
        query_ranges._query
),

estimates as (
    select
        share_{{ attributes[0].number }}._query,
        sum(cells._rows{% for attribute in attributes %} * share_{{ attribute.number }}._share{% endfor %}) as _rows
    from (
        select
            {% for attribute in attributes %}
            _label_{{ attribute.number }},
            {% endfor %}
            sum(_rows) as _rows
        from label_sets
        group by
            {% for attribute in attributes %}
            _label_{{ attribute.number }}{{ "," if not loop.last }}
            {% endfor %}
    ) as cells
    {% for attribute in attributes %}
    join share_{{ attribute.number }}
        on cells._label_{{ attribute.number }} is not distinct from share_{{ attribute.number }}._label
        {% if not loop.first %}
        and share_{{ attribute.number }}._query = share_{{ attributes[0].number }}._query
        {% endif %}
    {% endfor %}
    group by
        share_{{ attributes[0].number }}._query
)

select
    query_ranges._query,
    coalesce(truth._rows, 0) as _rows,
    coalesce(estimates._rows, 0) as _estimated
from query_ranges
left join truth
    on query_ranges._query = truth._query
left join estimates
    on query_ranges._query = estimates._query
order by query_ranges._query
