-- builds: suppressed
-- reads: verdicts, labels_<column>
-- one row: suppressed class, with the reason
select
    "labels_age".label as "age",
    "labels_sex".label as "sex",
    "labels_town".label as "town",
    verdicts._rows,
    case
        when verdicts._fails_1 then 'fewer than 3 rows'
    end as _reason
from verdicts
join "labels_age"
    on "labels_age".level = 1
    and "labels_age".code = verdicts."age_1"
join "labels_sex"
    on "labels_sex".level = 0
    and "labels_sex".code = verdicts."sex_0"
join "labels_town"
    on "labels_town".level = 2
    and "labels_town".code = verdicts."town_2"
where verdicts._fails
order by
    verdicts._rows,
    verdicts."age_1",
    verdicts."sex_0",
    verdicts."town_2"
