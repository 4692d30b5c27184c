-- builds: study_sets
-- reads: study_before or study_after
-- one row: distinct set of the covariates of a regression (numbers, and the terms of categories), from the rows that show all of them and the outcome, with its rows, and the sum of the outcome and of its squares
with covariates as (
    select
        {% for covariate in covariates %}
        {{ covariate.sql }} as _covariate_{{ covariate.number }},
        {% endfor %}
        _filled_{{ outcome }} as _rows,
        _sum_{{ outcome }} as _sum,
        _squares_{{ outcome }} as _squares
    from {{ relation }}
    where _filled_{{ outcome }} > 0
)

select
    {% for covariate in covariates %}
    _covariate_{{ covariate.number }},
    {% endfor %}
    row_number() over () as _set,
    cast(sum(_rows) as double) as _rows,
    sum(_sum) as _sum,
    sum(_squares) as _squares
from covariates
where {% for covariate in covariates %}_covariate_{{ covariate.number }} is not null{{ "\n    and " if not loop.last }}{% endfor +%}
group by all
