-- builds: outcomes
-- reads: placements, regions, verdicts
-- one row: distinct set of quasi-identifier values, as codes of their lowest labels, with their released labels, the rows of their class, and whether they are released
select
    {% for attribute in attributes %}
    placements.{{ attribute.name | ident }},
    regions.{{ attribute.name | ident }} as _label_{{ attribute.number }},
    regions._leaf_loss_{{ attribute.number }} as _loss_{{ attribute.number }},
    {% endfor %}
    verdicts._fails,
    verdicts._rows as _class_rows,
    cast(placements._rows as bigint) as _rows
from placements
join regions
    on placements._region = regions._region
join verdicts
    on placements._class_number = verdicts._class_number
where placements._rows > 0
