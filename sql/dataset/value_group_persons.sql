-- builds: value_groups_<column>
-- reads: records
-- one row: sensitive value as written in the source, with its rows, or the persons who have it
{% from "dataset/numbers.jinja" import text_of %}
{% set value, person = column | ident, entity | ident %}
select
    min({{ value }}) as _value,
    count(distinct {{ person }}) + max(case when {{ person }} is null then 1 else 0 end) as _rows,
    (
        select count(distinct {{ person }}) + coalesce(max(case when {{ person }} is null then 1 else 0 end), 0)
        from records
        where {{ value }} is not null
    ) as _known_persons,
    (
        select count(distinct {{ person }}) + max(case when {{ person }} is null then 1 else 0 end)
        from records
    ) as _all_persons
from records
group by {{ text_of(value, floating) }}
