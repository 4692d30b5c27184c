-- builds: suppressed
-- reads: verdicts, regions
-- one row: suppressed class, with the reason
select
    regions."age",
    regions."sex",
    regions."town",
    verdicts._rows,
    case
        when verdicts._fails_1 then 'fewer than 3 rows'
    end as _reason
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
where verdicts._fails
order by verdicts._rows, verdicts._class_number
