-- builds: listed_lines
-- reads: listed_<column>
-- one row: line of a hierarchy file, in the order of the file
select *
from {{ ("listed_" ~ column) | ident }}
