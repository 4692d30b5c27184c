-- builds: expected_rows
-- reads: records, recoding_<column> (perhaps region_assignments, regions, aggregates, ranges_<column>)
-- one row: row that takes part, with the labels and the other cells that the release must show for it, and its sensitive values
select
    records."illness" as _cell_4,
    records."pay" as _cell_5,
    records."illness" as _value_1,
    regions."age" as "age",
    regions."sex" as "sex",
    regions."town" as "town"
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
