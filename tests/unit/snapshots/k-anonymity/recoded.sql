-- builds: recoded
-- reads: records, recoding_<column> (perhaps labels_<column>, texts_<column>, class_results, aggregates, region_assignments, regions)
-- one row: row to be released, with the labels of the recoding
with coded as (
-- builds: recoded
-- reads: records, recoding_<column> (perhaps region_assignments, regions, class_results, aggregates, texts_<column>)
-- one row: row to be released, with the labels of the recoding, or masked if its class fails
select
    "recoding_age".code as "age",
    "recoding_sex".code as "sex",
    "recoding_town".code as "town",
    "texts_illness".code as "illness",
    records."pay" as "pay"
from records
join "recoding_age"
    on records."age" is not distinct from "recoding_age".value
join "recoding_sex"
    on records."sex" is not distinct from "recoding_sex".value
join "recoding_town"
    on records."town" is not distinct from "recoding_town".value
join "texts_illness"
    on records."illness" is not distinct from "texts_illness".value
where not exists (
    select 1
    from class_results
    where class_results._fails
        and "recoding_age".code = class_results."age_1"
        and "recoding_sex".code = class_results."sex_0"
        and "recoding_town".code = class_results."town_2"
)
),

shuffled as (
    select *
    from coded
    order by random()
)

select
    "labels_age".label as "age",
    "labels_sex".label as "sex",
    "labels_town".label as "town",
    "texts_illness".value as "illness",
    shuffled."pay" as "pay"
from shuffled
join "labels_age"
    on shuffled."age" = "labels_age".code
    and "labels_age".level = 1
join "labels_sex"
    on shuffled."sex" = "labels_sex".code
    and "labels_sex".level = 0
join "labels_town"
    on shuffled."town" = "labels_town".code
    and "labels_town".level = 2
join "texts_illness"
    on shuffled."illness" = "texts_illness".code
