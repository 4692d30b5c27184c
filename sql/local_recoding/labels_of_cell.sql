-- builds: labels_of_cell
-- reads: placements, regions
-- one row: set of quasi-identifier values, as the release shows it
select
    {{ names | idents("regions") }}
from placements
join regions
    on placements._region = regions._region
where {% for name, code in chosen.items() %}placements.{{ name | ident }} = {{ code }}{{ "\n    and " if not loop.last }}{% endfor +%}
