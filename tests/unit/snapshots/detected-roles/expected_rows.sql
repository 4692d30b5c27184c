-- builds: expected_rows
-- reads: records, recoding_<column> (perhaps placements, regions, aggregates, ranges_<column>)
-- one row: row that takes part, with the labels and the other cells that the release must show for it
select
    regions."least" as "least",
    regions."age" as "age",
    regions."town" as "town",
    regions."illness" as "illness"
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
