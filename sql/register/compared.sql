-- builds: compared
-- reads: the register
-- one row: earlier release with which a registered release was compared
select
    _number,
    smallest
from {{ register | ident }}.main.comparisons_{{ number }}
order by _number
