-- builds: node
-- reads: combinations (perhaps combination_entities)
-- one row: the node: its classes, and the rows that its failing classes hold
with classes as (
{% include "lattice/classes_at.sql" +%}
),

verdicts as (
{% include model_template +%}
)

select
    count(*) as classes,
    min(_rows) as smallest,
    coalesce(min(_rows) filter (where not _fails), 0) as released_smallest,
    coalesce(max(_rows) filter (where not _fails), 0) as released_largest,
    count(*) filter (where _fails) as failing_classes,
    coalesce(sum(_rows) filter (where _fails), 0) as failing_rows,
    sum(cast(_rows as hugeint) * _rows) as squares,
    coalesce(sum(cast(_rows as hugeint) * _rows) filter (where not _fails), 0) as released_squares{{ "," if stars }}
    {% if stars %}
    coalesce(sum(_rows) filter (where _joins), 0) as joining_rows,
    count(*) filter (where _joins) as joining_classes
    {% endif %}
from verdicts
