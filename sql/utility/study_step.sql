-- builds: study_step
-- reads: study_sets, study_terms
-- one row: pair of terms of a regression at some coefficients: their entry in the information matrix, the gradient of the log-likelihood by the first, and over the rows of both the number, the sum and the squares of the outcome, and its squared errors
with predicted as (
    select
        _set,
        sum(_value * list_extract(cast({{ coefficients | literal }} as double[]), _term + 1)) as _linear
    from study_terms
    group by _set
),

weighed as (
    select
        sets.*,
        {{ "1 / (1 + exp(-predicted._linear))" if is_logistic else "predicted._linear" }} as _mean,
        sets._rows * {{ "_mean * (1 - _mean)" if is_logistic else "1" }} as _weight
    from study_sets as sets
    join predicted
        on sets._set = predicted._set
)

select
    terms._term,
    others._term as _other,
    sum(weighed._weight * terms._value * others._value) as _information,
    sum((weighed._sum - weighed._rows * weighed._mean) * terms._value) as _gradient,
    sum(weighed._rows) as _rows,
    sum(weighed._sum) as _sum,
    sum(weighed._squares) as _squares,
    sum(weighed._squares - 2 * weighed._mean * weighed._sum + weighed._rows * weighed._mean ** 2) as _squared_errors
from weighed
join study_terms as terms
    on weighed._set = terms._set
join study_terms as others
    on terms._set = others._set
    and terms._term <= others._term
group by
    terms._term,
    others._term
