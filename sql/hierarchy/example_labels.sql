-- builds: example_labels
-- reads: labels_<column>
-- one row: label of a level, the most frequent first, up to a maximum number per level
select
    level,
    label
from (
    select
        level,
        label,
        row_number() over (partition by level order by _rows desc, code) as place
    from {{ ("labels_" ~ column) | ident }}
) as ranked
where place <= {{ most }}
order by
    level,
    place
