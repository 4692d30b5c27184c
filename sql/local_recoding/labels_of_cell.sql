-- builds: labels_of_cell
-- reads: region_assignments, regions
-- one row: set of quasi-identifier values, as the release shows it
select
    {{ names | idents("regions") }}
from region_assignments
join regions
    on region_assignments._region = regions._region
where {% for name, code in chosen.items() %}region_assignments.{{ name | ident }} = {{ code }}{{ "\n    and " if not loop.last }}{% endfor +%}
