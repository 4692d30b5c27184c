-- builds: recoded
-- reads: records, recoding_<column> (perhaps labels_<column>, texts_<column>, class_results, aggregates, region_assignments, regions)
-- one row: row to be released, with the labels of the recoding
with coded as (
-- builds: recoded
-- reads: records, recoding_<column> (perhaps region_assignments, regions, class_results, aggregates, texts_<column>)
-- one row: row to be released, with the labels of the recoding, or masked if its class fails
select
    region_assignments._region as "_region",
    "texts_illness".code as "illness",
    records."pay" as "pay"
from records
join "recoding_age"
    on records."age" is not distinct from "recoding_age".value
join "recoding_sex"
    on records."sex" is not distinct from "recoding_sex".value
join "recoding_town"
    on records."town" is not distinct from "recoding_town".value
join region_assignments
    on "recoding_age".code = region_assignments."age"
    and "recoding_sex".code = region_assignments."sex"
    and "recoding_town".code = region_assignments."town"
join regions
    on region_assignments._region = regions._region
join "texts_illness"
    on records."illness" is not distinct from "texts_illness".value
),

shuffled as (
    select *
    from coded
    order by random()
)

select
    regions."age" as "age",
    regions."sex" as "sex",
    regions."town" as "town",
    "texts_illness".value as "illness",
    shuffled."pay" as "pay"
from shuffled
join regions
    on shuffled._region = regions._region
join "texts_illness"
    on shuffled."illness" = "texts_illness".code
