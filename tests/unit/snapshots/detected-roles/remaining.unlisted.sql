-- builds: remaining
-- reads: remaining, released
-- one row: distinct set of quasi-identifier values that no pass has released yet, as label codes for each level, with its rows
select *
from remaining
where _cell not in (
    select _cell
    from released
)
