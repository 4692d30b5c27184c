-- builds: expected_rows
-- reads: records, recoding_<column> (perhaps region_assignments, regions, aggregates, ranges_<column>)
-- one row: row that takes part, with the labels and the other cells that the release must show for it, and its sensitive values
select
    records."person" as _entity,
    records."illness" as _cell_4,
    records."pay" as _cell_5,
    "recoding_age".label as "age",
    "recoding_sex".label as "sex",
    "recoding_town".label as "town"
from records
join "recoding_age"
    on records."age" is not distinct from "recoding_age".value
join "recoding_sex"
    on records."sex" is not distinct from "recoding_sex".value
join "recoding_town"
    on records."town" is not distinct from "recoding_town".value
