-- builds: passes
-- reads: placements, regions, verdicts
-- one row: pass that releases rows, with its rows and classes
select
    regions._pass,
    cast(sum(placements._rows) as bigint) as _rows,
    count(distinct placements._class_number) as classes
from placements
join regions
    on placements._region = regions._region
join verdicts
    on placements._class_number = verdicts._class_number
where not verdicts._fails
group by regions._pass
order by regions._pass
