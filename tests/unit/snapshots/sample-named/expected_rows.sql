-- builds: expected_rows
-- reads: records, recoding_<column> (perhaps placements, regions, aggregates, ranges_<column>)
-- one row: row that takes part, with the labels and the other cells that the release must show for it
select
    records."illness" as _cell_2,
    records."pay" as _cell_3,
    "recoding_sex".label as "sex"
from records
join "recoding_sex"
    on records."sex" is not distinct from "recoding_sex".value
