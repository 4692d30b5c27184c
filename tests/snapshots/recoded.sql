-- builds: recoded
-- reads: records, recoding_<column> (perhaps numbered_classes, texts_<column>, verdicts, aggregates, placements, regions)
-- one row: row to be released, with the labels of the recoding
with coded as (
-- builds: recoded
-- reads: records, recoding_<column> (perhaps verdicts, aggregates, texts_<column>, numbered_classes)
-- one row: row to be released, with the labels of the recoding
select
    numbered_classes._class,
    "texts_illness".code as "illness",
    records."pay"
from records
join "recoding_age"
    on records."age" is not distinct from "recoding_age".value
join "recoding_sex"
    on records."sex" is not distinct from "recoding_sex".value
join "recoding_town"
    on records."town" is not distinct from "recoding_town".value
join "texts_illness"
    on records."illness" is not distinct from "texts_illness".value
join numbered_classes
    on numbered_classes."age_1" = "recoding_age".code
    and numbered_classes."sex_0" = "recoding_sex".code
    and numbered_classes."town_2" = "recoding_town".code
),

shuffled as (
    select *
    from coded
    order by random()
)

select
    numbered_classes."age",
    numbered_classes."sex",
    numbered_classes."town",
    "texts_illness".value as "illness",
    shuffled."pay"
from shuffled
join numbered_classes
    on shuffled._class = numbered_classes._class
join "texts_illness"
    on shuffled."illness" = "texts_illness".code
