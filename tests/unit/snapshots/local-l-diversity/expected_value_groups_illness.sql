-- builds: expected_value_groups_<column>
-- reads: records, recoding_<column> (perhaps placements, regions, aggregates, ranges_<column>)
-- one row: set of labels that the recoding gives to the source, and sensitive value as written there, with its rows
select
    regions."age" as "age",
    regions."sex" as "sex",
    regions."town" as "town",
    records."illness" as _value,
    cast(count(*) as bigint) as _value_rows
from records
join "recoding_age"
    on records."age" is not distinct from "recoding_age".value
join "recoding_sex"
    on records."sex" is not distinct from "recoding_sex".value
join "recoding_town"
    on records."town" is not distinct from "recoding_town".value
join placements
    on "recoding_age".code = placements."age"
    and "recoding_sex".code = placements."sex"
    and "recoding_town".code = placements."town"
join regions
    on placements._region = regions._region

group by
    regions."age",
    regions."sex",
    regions."town",
    records."illness"
