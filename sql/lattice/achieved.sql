-- builds: achieved
-- reads: combinations (perhaps combination_entities)
-- one row: the node: of its classes that pass, the least rows or persons, and the most that a record asks for
with classes as (
{% include "lattice/classes_at.sql" +%}
),

verdicts as (
{% include model_template +%}
)

select
    coalesce(min({{ "_persons" if persons else "_rows" }}), 0) as achieved,
    {{ "coalesce(max(_k), 0)" if own_k else 0 }} as asked
from verdicts
where not _fails
