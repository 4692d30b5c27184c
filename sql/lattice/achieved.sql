-- builds: achieved
-- reads: combinations (perhaps combination_entities)
-- one row: the node: of the classes that it releases, the least rows or persons, and the most that a record asks for
with classes as (
{% include "lattice/classes_at.sql" +%}
),

verdicts as (
{% include model_template +%}
),

shown as (
    select
        {% if own_k %}
        _k,
        {% endif %}
        {{ "_persons" if persons else "_rows" }} as size
    from verdicts
    where not _fails
    {% if stars %}
    union all
    select
        {% if own_k %}
        max(_k) as _k,
        {% endif %}
        sum(_rows) as size
    from verdicts
    where _fails
    having count(*) > 0
    {% endif %}
)

select
    coalesce(min(size), 0) as achieved,
    {{ "coalesce(max(_k), 0)" if own_k else 0 }} as asked
from shown
