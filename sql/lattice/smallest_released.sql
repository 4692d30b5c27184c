-- builds: smallest_released
-- reads: combinations (perhaps combination_entities, sensitive_<column>, sensitive_entities_<column>, shares_<column>, entropy_comparisons)
-- one row: the size of the smallest released class of a node, in rows or persons; masked records form one class
with {% include "privacy/verdicts.jinja" +%}

select
    coalesce(least(
        min({{ size }}) filter (where not _fails),
        {{ "sum(" ~ size ~ ") filter (where _fails)" if stars else "null" }}
    ), 0) as smallest
from verdicts
