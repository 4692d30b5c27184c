-- builds: range_figures
-- reads: ranges_<column>
-- one row: the quasi-identifier: a label that is not a range, and the numbers of labels that include and exclude their upper bound
select
    min(label) filter (where not _is_read) as unread,
    count(*) filter (where _max is distinct from _min and _max is not null and _includes_max) as included,
    count(*) filter (where _max is distinct from _min and _max is not null and not _includes_max) as excluded
from {{ ("ranges_" ~ name) | ident }}
