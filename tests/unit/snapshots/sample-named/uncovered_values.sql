-- builds: uncovered_values
-- reads: values_<column>, lookup_<column>
-- one row: value of the data that the hierarchy does not cover, with its rows
select
    present.text,
    present._rows
from "values_sex" as present
left join "lookup_sex" as lookup
    on present.text = lookup.value
where lookup.value is null and present.text is not null and not present.missing
order by present._rows desc, present.text
