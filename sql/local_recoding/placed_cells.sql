-- builds: cells
-- reads: cells, located, regions
-- one row: distinct set of quasi-identifier values, by its number, with its region and its rows
select
    cells._cell,
    regions._region as _partition,
    {% for attribute in attributes %}
    cells.{{ attribute.key | ident }},
    {% endfor %}
    {% for measure in measures %}
    cells.{{ measure }},
    {% endfor %}
    cells._rows
from cells
join located
    on cells._cell = located._cell
join regions
    on located._pass = regions._pass
    {% for attribute in attributes %}
    and located._code_{{ attribute.number }} = regions._code_{{ attribute.number }}
    {% endfor %}
