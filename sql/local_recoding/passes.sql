-- builds: passes
-- reads: region_assignments, regions, class_results
-- one row: pass that releases rows, with its rows and classes
select
    regions._pass,
    cast(sum(region_assignments._rows) as bigint) as _rows,
    count(distinct region_assignments._class_number) as classes
from region_assignments
join regions
    on region_assignments._region = regions._region
join class_results
    on region_assignments._class_number = class_results._class_number
where not class_results._fails
group by regions._pass
order by regions._pass
