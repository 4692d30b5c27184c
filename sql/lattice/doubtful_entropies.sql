-- builds: doubtful_entropies
-- reads: sensitive_<column> (perhaps distribution_<column>)
-- one row: class whose entropy is so close to ln l that floating-point arithmetic cannot decide the comparison, as the rows of each sensitive value; equal classes once
with histogram as (
    select
        {{ keys | idents | indent }},
        _value,
        cast(sum(_value_rows) as bigint) as _value_rows
    from {{ relation | ident }}
    group by all
),

entropies as (
    {% for known in ([false, true] if partly_missing else [false]) %}
    select
        count(*) as present,
        ln(sum(_value_rows)) - sum(_value_rows * ln(_value_rows)) / sum(_value_rows) as entropy,
        string_agg(cast(_value_rows as varchar), ' ' order by _value_rows) as counts
    from histogram
    {% if known %}
    join {{ ("distribution_" ~ column) | ident }} as shares
        on histogram._value = shares._value
    where not shares._is_missing
    {% endif %}
    group by
        {{ keys | map("ident") | join(", ") }}
    {% if not loop.last %}
    union all
    {% endif %}
    {% endfor %}
)

select distinct counts
from entropies
where present > {{ l }} and abs(entropy - ln({{ l }})) <= {{ nearly }}
order by counts
