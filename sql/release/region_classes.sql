-- builds: classes
-- reads: verdicts, regions
-- one row: equivalence class of the release
select
    {% for qi in quasi_identifiers %}
    regions.{{ qi | ident }},
    {% endfor %}
    verdicts._rows
from verdicts
join regions
    on verdicts._class_number = regions._region
where not verdicts._fails
order by verdicts._rows desc, verdicts._class_number
