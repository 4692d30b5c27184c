-- builds: wildcard_sizes
-- reads: star_classes
-- one row: number of rows that a row may match (a star matches any value), with the number of classes of such rows, and their rows
with agreeing as (
    {% for pair in pairs %}
    select
        classes._class,
        classes._rows,
        others._rows as _agreeing
    from star_classes as classes
    join (
        select
            {% for column in pair.columns %}
            {{ column | ident }},
            {% endfor %}
            sum(_rows) as _rows
        from star_classes
        where _pattern = {{ pair.other }}
        {% if pair.columns %}
        group by
            {{ pair.columns | map("ident") | join(",\n            ") }}
        {% endif %}
    ) as others
        on {% for column in pair.columns %}classes.{{ column | ident }} = others.{{ column | ident }}{{ "\n        and " if not loop.last }}{% else %}true{% endfor +%}
    where classes._pattern = {{ pair.one }}
    {% if not loop.last %}
    union all
    {% endif %}
    {% endfor %}
),

sizes as (
    select
        any_value(_rows) as _rows,
        sum(_agreeing) as size
    from agreeing
    group by
        _class
)

select
    size,
    count(*) as classes,
    cast(sum(_rows) as bigint) as _rows
from sizes
group by
    size
order by size
