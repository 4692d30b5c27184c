-- builds: recoded
-- reads: records, recoding_<column> (perhaps labels_<column>, texts_<column>, verdicts, aggregates, placements, regions)
-- one row: row to be released, with the labels of the recoding
with coded as (
-- builds: recoded
-- reads: records, recoding_<column>, placements, regions (perhaps verdicts, aggregates, texts_<column>)
-- one row: row to be released, with the labels of the recoding
select
    placements._region
from records
join "recoding_least"
    on records."least" is not distinct from "recoding_least".value
join "recoding_age"
    on records."age" is not distinct from "recoding_age".value
join "recoding_town"
    on records."town" is not distinct from "recoding_town".value
join "recoding_illness"
    on records."illness" is not distinct from "recoding_illness".value
join placements
    on "recoding_least".code = placements."least"
    and "recoding_age".code = placements."age"
    and "recoding_town".code = placements."town"
    and "recoding_illness".code = placements."illness"
join regions
    on placements._region = regions._region
),

shuffled as (
    select *
    from coded
    order by random()
)

select
    regions."least",
    regions."age",
    regions."town",
    regions."illness"
from shuffled
join regions
    on shuffled._region = regions._region
