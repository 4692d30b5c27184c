-- builds: doubtful_entropies
-- reads: sensitive_<column> (perhaps shares_<column>)
-- one row: class whose entropy is so close to ln l that floating-point arithmetic cannot decide the comparison, as the rows of each sensitive value; equal classes once
with histogram as (
-- builds: histogram_at
-- reads: sensitive_<column>
-- one row: equivalence class of a node and sensitive value in it, as codes, with its rows
select
    "age_3",
    "sex_0",
    "town_2",
    _value,
    cast(sum(_value_rows) as bigint) as _value_rows
from "sensitive_illness"
group by
    "age_3",
    "sex_0",
    "town_2",
    _value
),

entropies as (
    select
        count(*) as present,
        ln(sum(_value_rows)) - sum(_value_rows * ln(_value_rows)) / sum(_value_rows) as entropy,
        string_agg(cast(_value_rows as varchar), ' ' order by _value_rows) as counts
    from histogram
    group by
        "age_3", "sex_0", "town_2"
)

select distinct counts
from entropies
where present > 2.999999999 and abs(entropy - ln(2.999999999)) <= 1e-09
order by counts
