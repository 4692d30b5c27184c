-- builds: untreatable
-- reads: records
-- one row: the column: its rows without a value, its rows with a date but without a person, and its rows that the shift may move out of the range of the type
select
    count(*) filter (where {{ treatment.column.name | ident }} is null) as empty_rows,
    {% if treatment.kind == "shift" %}
    count(*) filter (where {{ treatment.column.name | ident }} is not null and {{ treatment.by | ident }} is null) as rows_without_person,
    count(*) filter (
        where isfinite({{ treatment.column.name | ident }})
            and (
                {% for sign in ["+", "-"] %}
                {% set days = treatment.days if treatment.column.type == "DATE" else "to_days(%d)" % treatment.days %}
                try(cast({{ treatment.column.name | ident }} {{ sign }} {{ days }} as {{ treatment.column.type }})) is null{{ " or" if not loop.last }}
                {% endfor %}
            )
    ) as rows_out_of_range
    {% else %}
    0 as rows_without_person,
    0 as rows_out_of_range
    {% endif %}
from records
