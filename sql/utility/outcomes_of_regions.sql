-- builds: outcomes
-- reads: region_assignments, regions, class_results
-- one row: distinct set of quasi-identifier values, as codes of their lowest labels, with their released labels, the rows of their class, and whether they are released
select
    {% for attribute in attributes %}
    region_assignments.{{ attribute.name | ident }},
    regions.{{ attribute.name | ident }} as _label_{{ attribute.number }},
    regions._leaf_loss_{{ attribute.number }} as _loss_{{ attribute.number }},
    {% endfor %}
    class_results._fails,
    class_results._rows as _class_rows,
    cast(region_assignments._rows as bigint) as _rows
from region_assignments
join regions
    on region_assignments._region = regions._region
join class_results
    on region_assignments._class_number = class_results._class_number
where region_assignments._rows > 0
