-- builds: divergence
-- reads: outcomes
-- one row: the release: the Kullback-Leibler divergence between the rows and the distribution that it implies, in bits, its ambiguity, and for each column the rows that show nothing
with areas as (
    select
        _rows,
        {% for attribute in attributes %}
        _fails or _loss_{{ attribute.number }} >= 1 as is_withheld_{{ attribute.number }},
        {% endfor %}
        case when _fails then (select sum(_rows) from outcomes where _fails) else _class_rows end as class_rows,
        -- literals with a decimal point would be decimals, whose product overflows
        {% for attribute in attributes %}
        cast(case when _fails then {{ [attribute.domain, 1] | max }} else 1 + _loss_{{ attribute.number }} * {{ attribute.domain - 1 }} end as double) as width_{{ attribute.number }}{{ "," if not loop.last }}
        {% endfor %}
    from outcomes
)

select
    sum(_rows * (log2(_rows / class_rows) + {% for attribute in attributes %}log2(width_{{ attribute.number }}){{ " + " if not loop.last }}{% endfor %})) / sum(_rows) as divergence,
    sum(_rows * {% for attribute in attributes %}width_{{ attribute.number }}{{ " * " if not loop.last }}{% endfor %}) as ambiguity,
    {% for attribute in attributes %}
    coalesce(sum(_rows) filter (where is_withheld_{{ attribute.number }}), 0) as withheld_{{ attribute.number }}{{ "," if not loop.last }}
    {% endfor %}
from areas
