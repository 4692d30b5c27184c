-- builds: divergence
-- reads: outcomes
-- one row: the release: the Kullback-Leibler divergence of the rows from what it says of them, in bits, its ambiguity, and the rows that show nothing of each column
with areas as (
    select
        _rows,
        {% for attribute in attributes %}
        _fails or _loss_{{ attribute.number }} >= 1 as is_withheld_{{ attribute.number }},
        {% endfor %}
        case
            when _fails then sum(_rows) over (partition by _fails)
            else sum(_rows) over (partition by _fails, {% for attribute in attributes %}_label_{{ attribute.number }}{{ ", " if not loop.last }}{% endfor %})
        end as class_rows,
        case
            when _fails then {{ attributes | map(attribute="domain") | map("string") | join(".0 * ") }}.0
            else {% for attribute in attributes %}(1 + _loss_{{ attribute.number }} * {{ attribute.domain - 1 }}){{ " * " if not loop.last }}{% endfor +%}
        end as area
    from outcomes
)

select
    sum(_rows * log2(_rows * area / class_rows)) / sum(_rows) as divergence,
    sum(_rows * area) as ambiguity,
    {% for attribute in attributes %}
    coalesce(sum(_rows) filter (where is_withheld_{{ attribute.number }}), 0) as withheld_{{ attribute.number }}{{ "," if not loop.last }}
    {% endfor %}
from areas
