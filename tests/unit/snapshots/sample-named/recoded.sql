-- builds: recoded
-- reads: records, recoding_<column> (perhaps labels_<column>, texts_<column>, verdicts, aggregates, placements, regions)
-- one row: row to be released, with the labels of the recoding
with coded as (
-- builds: recoded
-- reads: records, recoding_<column> (perhaps verdicts, aggregates, texts_<column>)
-- one row: row to be released, with the labels of the recoding
select
    "recoding_sex".code as "sex",
    "texts_illness".code as "illness",
    records."pay" as "pay"
from records
join "recoding_sex"
    on records."sex" is not distinct from "recoding_sex".value
join "texts_illness"
    on records."illness" is not distinct from "texts_illness".value
),

shuffled as (
    select *
    from coded
    order by random()
)

select
    "labels_sex".label as "sex",
    "texts_illness".value as "illness",
    shuffled."pay"
from shuffled
join "labels_sex"
    on shuffled."sex" = "labels_sex".code
    and "labels_sex".level = 0
join "texts_illness"
    on shuffled."illness" = "texts_illness".code
