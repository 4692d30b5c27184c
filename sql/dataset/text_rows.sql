-- builds: text_rows
-- reads: source
-- one row: distinct text of a column, with its cells
select
    cast({{ column | ident }} as varchar) as _text,
    cast(count(*) as bigint) as _cells
from source
where {{ column | ident }} is not null
group by {{ column | ident }}
