-- builds: value_count
-- reads: lookup_<column>, values_<column>
-- one row: the number of values listed and of values present, together
select (select count(*) from {{ ("lookup_" ~ column) | ident }}) + (select count(*) from {{ ("values_" ~ column) | ident }}) as value_count
