-- builds: value_count
-- reads: lookup_<column>, values_<column>
-- one row: the hierarchy: the number of listed values plus the number of values in the data
select (select count(*) from "lookup_least") + (select count(*) from "values_least") as value_count
