-- builds: value_count
-- reads: lookup_<column>, values_<column>
-- one row: the number of values listed and of values present, together
select (select count(*) from "lookup_age") + (select count(*) from "values_age") as value_count
