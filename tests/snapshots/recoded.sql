-- builds: recoded
-- reads: records, recoding_<column> (perhaps verdicts, aggregates)
-- one row: row to be released, with the labels of the recoding
select
    "recoding_age".label as "age",
    "recoding_sex".value as "sex",
    "recoding_town".label as "town",
    records."illness",
    records."pay"
from records
join "recoding_age"
    on records."age" is not distinct from "recoding_age".value
join "recoding_sex"
    on records."sex" is not distinct from "recoding_sex".value
join "recoding_town"
    on records."town" is not distinct from "recoding_town".value
where not exists (
    select 1
    from verdicts
    where verdicts._fails
        and verdicts."age_1" = "recoding_age".code
        and verdicts."sex_0" = "recoding_sex".code
        and verdicts."town_2" = "recoding_town".code
)
order by random()
