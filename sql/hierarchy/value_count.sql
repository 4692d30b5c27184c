-- builds: value_count
-- reads: lookup_<column>, values_<column>
-- one row: the hierarchy: the number of listed values plus the number of values in the data
select (select count(*) from {{ ("lookup_" ~ column) | ident }}) + (select count(*) from {{ ("values_" ~ column) | ident }}) as value_count
