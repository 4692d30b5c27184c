-- builds: sweep_at
-- reads: sweep
-- one row: node: its classes, those with fewer than k rows and their rows, the smallest with k rows or more, the smallest of all, and for each quasi-identifier the leaves lost to suppression
select
    _node,
    cast(sum(_classes) as bigint) as classes,
    cast(coalesce(sum(_classes) filter (where _k <= {{ k }}), 0) as bigint) as failing_classes,
    cast(coalesce(sum(_class_rows) filter (where _k <= {{ k }}), 0) as bigint) as suppressed,
    coalesce(min(_smallest) filter (where _k is null or _k > {{ k }}), 0) as released_smallest,
    min(_smallest) as smallest,
    {% for number in range(1, columns + 1) %}
    cast(coalesce(sum(lost_{{ number }}) filter (where _k <= {{ k }}), 0) as hugeint) as lost_{{ number }}{{ "," if not loop.last }}
    {% endfor %}
from sweep
group by _node
order by _node
