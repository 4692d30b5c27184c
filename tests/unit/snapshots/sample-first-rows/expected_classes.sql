-- builds: expected_classes
-- reads: records, recoding_<column> (perhaps placements, regions, aggregates, expected_population)
-- one row: set of labels that the source gives through the recoding, with its rows
select
    "recoding_sex".label as "sex",
    cast(count(*) as bigint) as _rows
from records
join "recoding_sex"
    on records."sex" is not distinct from "recoding_sex".value


group by
    "recoding_sex".label
