-- builds: numbered_rows
-- reads: source
-- one row: input row, with its place in the input
select
    row_number() over () as {{ number | ident }},
    source.*
from source
