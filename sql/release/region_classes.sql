-- builds: classes
-- reads: verdicts, regions
-- one row: equivalence class of the release
select
    {% for qi in quasi_identifiers %}
    regions.{{ qi | ident }},
    {% endfor %}
    verdicts._rows
from verdicts
join (
    select distinct
        _class_number,
        {{ quasi_identifiers | map("ident") | join(",\n        ") }}
    from regions
) as regions
    on verdicts._class_number = regions._class_number
where not verdicts._fails
order by verdicts._rows desc, verdicts._class_number
