-- builds: value_count
-- reads: lookup_<column>, values_<column>
-- one row: the hierarchy: the number of listed values plus the number of values in the data
select (select count(*) from "lookup_sex") + (select count(*) from "values_sex") as value_count
