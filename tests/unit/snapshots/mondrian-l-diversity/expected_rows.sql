-- builds: expected_rows
-- reads: records, recoding_<column> (perhaps placements, regions, aggregates, ranges_<column>)
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
join placements
    on "recoding_age".code = placements."age"
    and "recoding_sex".code = placements."sex"
    and "recoding_town".code = placements."town"
join regions
    on placements._region = regions._region
