-- builds: smallest_released
-- reads: combinations (perhaps combination_entities, sensitive_<column>, value_entities_<column>, distribution_<column>, entropy_comparisons)
-- one row: the size of the smallest released class of a node, in rows or persons; masked records form one class
with {% include "privacy/class_results.jinja" +%}

select
    coalesce(least(
        min({{ size }}) filter (where not _fails),
        {{ "sum(" ~ size ~ ") filter (where _fails)" if keep_suppressed_rows else "null" }}
    ), 0) as smallest
from class_results
