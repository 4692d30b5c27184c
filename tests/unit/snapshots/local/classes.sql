-- builds: classes
-- reads: verdicts, regions
-- one row: equivalence class of the release
select
    regions."age",
    regions."sex",
    regions."town",
    verdicts._rows
from verdicts
join (
    select distinct
        _class_number,
        "age",
        "sex",
        "town"
    from regions
) as regions
    on verdicts._class_number = regions._class_number
where not verdicts._fails
order by verdicts._rows desc, verdicts._class_number
