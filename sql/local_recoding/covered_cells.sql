-- builds: cells
-- reads: cells, regions
-- one row: distinct set of quasi-identifier values, by its number, with its region and its rows
select cells.*
from cells
join regions
    on cells._partition = regions._region
where {% for attribute in attributes %}cells.{{ attribute.name | ident }} between regions._low_{{ attribute.number }} and regions._high_{{ attribute.number }}{{ "\n    and " if not loop.last }}{% endfor +%}
