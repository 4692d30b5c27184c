-- builds: suppressed
-- reads: verdicts, regions
-- one row: suppressed class, with the reason
select
    {% for qi in quasi_identifiers %}
    regions.{{ qi | ident }},
    {% endfor %}
    verdicts._rows,
    case
        {% for column, reason in reasons.items() %}
        when verdicts.{{ column }} then {{ reason | literal }}
        {% endfor %}
        {% if last_reason is not none %}
        else {{ last_reason | literal }}
        {% endif %}
    end as _reason
from verdicts
join (
    select distinct
        _class_number,
        {{ quasi_identifiers | map("ident") | join(",\n        ") }}
    from regions
) as regions
    on verdicts._class_number = regions._class_number
where verdicts._fails
order by verdicts._rows, verdicts._class_number
