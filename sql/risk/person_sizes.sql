-- builds: person_sizes
-- reads: combinations, combination_entities
-- one row: number of persons, with the sets of quasi-identifier values that this number of persons share, and their rows
{% from "privacy/classes.jinja" import classes_of with context %}
with classes as (
    {{ classes_of("combinations", keys) | indent }}
)

select
    _persons as size,
    count(*) as classes,
    cast(sum(_rows) as bigint) as _rows
from classes
group by
    _persons
order by size
