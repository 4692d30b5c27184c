-- builds: expected_classes
-- reads: records, recoding_<column> (perhaps placements, regions, aggregates, expected_population)
-- one row: set of labels that the source gives through the recoding, with its rows
select
    "recoding_age".label as "age",
    "recoding_sex".label as "sex",
    "recoding_town".label as "town",
    cast(max(records."least") as bigint) as _k,
    cast(count(*) as bigint) as _rows
from records
join "recoding_age"
    on records."age" is not distinct from "recoding_age".value
join "recoding_sex"
    on records."sex" is not distinct from "recoding_sex".value
join "recoding_town"
    on records."town" is not distinct from "recoding_town".value


group by
    "recoding_age".label,
    "recoding_sex".label,
    "recoding_town".label
