-- builds: replaced_cells
-- reads: replaced_texts_<column>
-- one row: column: its cells that are read as NULL, and those that are read as another text
select
    coalesce(cast(sum(_cells) filter (where _shown is null) as bigint), 0) as blanked,
    coalesce(cast(sum(_cells) filter (where _shown is not null) as bigint), 0) as replaced
from {{ ("replaced_texts_" ~ column) | ident }}
