-- builds: study_rows
-- reads: records or release (perhaps labels_<column>)
-- one row: distinct set of quasi-identifier values, or of released labels, with the number that each shows, its rows, and for each outcome the rows that show a value, the sum of the values and of their squares
{% from "utility/readings.jinja" import bounds, midpoint, shown %}
with cells as (
    select
        {% for column in columns %}
        {{ shown(column.name | ident, column) | indent(8) }} as _label_{{ column.number }},
        {% endfor %}
        {% for outcome in outcomes %}
        {{ outcome.cell or "null" }} as _outcome_{{ outcome.number }}{{ "," if not loop.last }}
        {% endfor %}
    from {{ relation }}
),

grouped as (
    select
        {% for column in columns %}
        _label_{{ column.number }},
        {% endfor %}
        {% for outcome in outcomes %}
        count(_outcome_{{ outcome.number }}) as _filled_{{ outcome.number }},
        sum(cast(_outcome_{{ outcome.number }} as double)) as _sum_{{ outcome.number }},
        sum(cast(_outcome_{{ outcome.number }} as double) ** 2) as _squares_{{ outcome.number }},
        {% endfor %}
        count(*) as _rows
    from cells
    group by all
),

ends as (
    select
        {% for column in columns if column.is_number %}
        -- labels with the same written numbers are joined
        {{ bounds("split_part(_label_%d, ' or ', 1)" % column.number, column.is_date) | indent(8) }} as _ends_{{ column.number }},
        {% endfor %}
        *
    from grouped
),

numbers as (
    select
        {% for column in columns if column.is_number %}
        {{ midpoint("_label_%d" % column.number, "_ends_%d" % column.number, column.type, column.is_date) | indent(8) }} as _number_{{ column.number }},
        {% endfor %}
        *
    from ends
)

select
    {% for outcome in outcomes if outcome.label %}
    case when {{ outcome.label }} is null then 0 else _rows end as _filled_{{ outcome.number }},
    coalesce(_rows * {{ outcome.label }}, 0) as _sum_{{ outcome.number }},
    coalesce(_rows * ({{ outcome.label }}) ** 2, 0) as _squares_{{ outcome.number }},
    {% endfor %}
    * exclude (_rows{% for column in columns if column.is_number %}, _ends_{{ column.number }}{% endfor %}{% for outcome in outcomes if outcome.label %}, _filled_{{ outcome.number }}, _sum_{{ outcome.number }}, _squares_{{ outcome.number }}{% endfor %})
from numbers
