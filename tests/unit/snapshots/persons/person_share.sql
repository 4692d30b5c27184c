-- builds: person_share
-- reads: counts or expected_members, written_classes
-- one row: the persons in classes: the largest share of the rows of a class that are of one person
with members as (
    select
        "age",
        "sex",
        "town",
        _entity,
        sum(_rows) as _rows
    from expected_members
    group by
        "age",
        "sex",
        "town",
        _entity
),

classes as (
    select
        "age",
        "sex",
        "town",
        max(_rows) as _largest,
        sum(_rows) as _rows
    from members
    group by
        "age",
        "sex",
        "town"
)

select cast(coalesce(max(cast(classes._largest as double) / classes._rows), 0) as double) as share
from classes
join written_classes as released
    on classes."age" is not distinct from released."age"
    and classes."sex" is not distinct from released."sex"
    and classes."town" is not distinct from released."town"
