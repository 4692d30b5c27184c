-- builds: study_terms
-- reads: study_sets
-- one row: set of covariates and term of the regression that is not 0 in it, with its value; term 0 is the constant
select
    _set,
    0 as _term,
    -- a literal with a decimal point would be a decimal, whose product overflows
    cast(1 as double) as _value
from study_sets
{% for covariate in covariates %}
union all
select
    _set,
    {{ covariate.term }} as _term,
    cast({{ covariate.value }} as double) as _value
from study_sets
where {{ covariate.term }} > 0
{% endfor %}
