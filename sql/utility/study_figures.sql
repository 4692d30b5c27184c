-- builds: study_figures
-- reads: study_before or study_after
-- one row: the rows that show an outcome, its sum, and for each quasi-identifier with numbers their mean, their deviation and their correlation with the outcome, over the rows that show both
with means as (
    select
        {% for number in numbers %}
        sum(_filled_{{ outcome }} * _number_{{ number }}) / nullif(sum(_filled_{{ outcome }}) filter (where _number_{{ number }} is not null), 0) as _mean_{{ number }},
        sum(_sum_{{ outcome }}) filter (where _number_{{ number }} is not null) / nullif(sum(_filled_{{ outcome }}) filter (where _number_{{ number }} is not null), 0) as _level_{{ number }},
        {% endfor %}
        sum(_filled_{{ outcome }}) as _all
    from {{ relation }}
),

sums as (
    select
        {% for number in numbers %}
        any_value(_mean_{{ number }}) as _mean_{{ number }},
        sum(_filled_{{ outcome }}) filter (where _number_{{ number }} is not null) as _rows_{{ number }},
        case when min(_number_{{ number }}) filter (where _filled_{{ outcome }} > 0) < max(_number_{{ number }}) filter (where _filled_{{ outcome }} > 0) then sum(_filled_{{ outcome }} * (_number_{{ number }} - _mean_{{ number }}) ** 2) end as _spread_{{ number }},
        sum(_squares_{{ outcome }} - 2 * _level_{{ number }} * _sum_{{ outcome }} + _filled_{{ outcome }} * _level_{{ number }} ** 2) filter (where _number_{{ number }} is not null) as _outcome_spread_{{ number }},
        sum((_number_{{ number }} - _mean_{{ number }}) * (_sum_{{ outcome }} - _filled_{{ outcome }} * _level_{{ number }})) as _product_{{ number }},
        {% endfor %}
        sum(_filled_{{ outcome }}) as _filled,
        sum(_sum_{{ outcome }}) as _sum
    from {{ relation }}
    cross join means
)

select
    {% for number in numbers %}
    _mean_{{ number }},
    sqrt(_spread_{{ number }} / nullif(_rows_{{ number }} - 1, 0)),
    case when _outcome_spread_{{ number }} > 1e-12 * _rows_{{ number }} then _product_{{ number }} / sqrt(_spread_{{ number }} * _outcome_spread_{{ number }}) end,
    {% endfor %}
    cast(coalesce(_filled, 0) as bigint) as _rows,
    _sum
from sums
