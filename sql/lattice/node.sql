-- builds: node
-- reads: combinations or class_results or packed_combinations or packed_sensitive_<column> (perhaps combination_entities, sensitive_<column>, value_entities_<column>, distribution_<column>, entropy_comparisons)
-- one row: the node, or each of several nodes by its number, or the local recoding: its classes, and the rows of its failing classes
{% if nodes %}
with {% include "lattice/nodes.jinja" +%}

{% elif not are_evaluated %}
with {% include "privacy/class_results.jinja" +%}

{% endif %}
select
    {{ "_node,\n    " if nodes }}count(*) as classes,
    min(_rows) as smallest,
    coalesce(min(_rows) filter (where not _fails), 0) as released_smallest,
    coalesce(max(_rows) filter (where not _fails), 0) as released_largest,
    count(*) filter (where _fails) as failing_classes,
    coalesce(sum(_rows) filter (where _fails), 0) as failing_rows,
    sum(cast(_rows as hugeint) * _rows) as squares,
    coalesce(sum(cast(_rows as hugeint) * _rows) filter (where not _fails), 0) as released_squares,
    {{ "coalesce(sum(_rows) filter (where _joins), 0)" if keep_suppressed_rows else 0 }} as joining_rows,
    {{ "count(*) filter (where _joins)" if keep_suppressed_rows else 0 }} as joining_classes,
    coalesce(sum({{ least_below }}), 0) as least_below,
    count(*) filter (where {{ doubtful }}) as doubtful
from class_results
{% if nodes %}
group by _node
order by _node
{% endif %}
