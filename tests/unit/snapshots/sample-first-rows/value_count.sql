-- builds: value_count
-- reads: lookup_<column>, values_<column>
-- one row: the number of values listed and of values present, together
select (select count(*) from "lookup_sex") + (select count(*) from "values_sex") as value_count
