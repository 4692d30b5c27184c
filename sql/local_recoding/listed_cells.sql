-- builds: listed_cells
-- reads: remaining
-- one row: distinct set of quasi-identifier values that no pass has released yet: its number, its rows and its label codes for each level
select
    _cell,
    _rows,
    {% for key in keys %}
    {{ key | ident }}{{ "," if not loop.last }}
    {% endfor %}
from remaining
