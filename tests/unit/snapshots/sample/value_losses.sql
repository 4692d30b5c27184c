-- builds: value_losses
-- reads: records, recoding_<column>, verdicts (perhaps placements)
-- one row: column that is released unchanged, by its number, and value, with its rows and its suppressed rows
with judged as (
    select
        records."person" as _value_1,
        records."least" as _value_2,
        records."illness" as _value_3,
        records."pay" as _value_4,
        case when not verdicts._fails then 0 else 1 end as _suppressed
    from records
    join "recoding_age"
        on records."age" is not distinct from "recoding_age".value
    join "recoding_sex"
        on records."sex" is not distinct from "recoding_sex".value
    join "recoding_town"
        on records."town" is not distinct from "recoding_town".value
    left join verdicts
        on "recoding_age".code = verdicts."age_1"
        and "recoding_sex".code = verdicts."sex_0"
        and "recoding_town".code = verdicts."town_2"
)

select
    case
        when grouping(_value_1) = 0 then 1
        when grouping(_value_2) = 0 then 2
        when grouping(_value_3) = 0 then 3
        when grouping(_value_4) = 0 then 4
    end as _attribute,
    _value_1,
    _value_2,
    _value_3,
    _value_4,
    cast(count(*) as bigint) as _rows,
    cast(sum(_suppressed) as bigint) as _suppressed
from judged
group by grouping sets ((_value_1), (_value_2), (_value_3), (_value_4))
