-- builds: sweep_at
-- reads: sweep
-- one row: node: its classes, the rows of the smallest, of the smallest and largest with k rows or more, the classes with fewer and their rows, the sum of squared rows of all classes and of those with k rows or more, and for each quasi-identifier the leaves lost to suppression
select
    _node,
    cast(sum(_classes) as bigint) as classes,
    min(_smallest) as smallest,
    coalesce(min(_smallest) filter (where _k is null or _k > {{ k }}), 0) as released_smallest,
    coalesce(max(_largest) filter (where _k is null or _k > {{ k }}), 0) as released_largest,
    cast(coalesce(sum(_classes) filter (where _k <= {{ k }}), 0) as bigint) as failing_classes,
    cast(coalesce(sum(_class_rows) filter (where _k <= {{ k }}), 0) as bigint) as suppressed,
    cast(sum(_squares) as hugeint) as squares,
    cast(coalesce(sum(_squares) filter (where _k is null or _k > {{ k }}), 0) as hugeint) as released_squares,
    {% for number in range(1, columns + 1) %}
    cast(coalesce(sum(lost_{{ number }}) filter (where _k <= {{ k }}), 0) as hugeint) as lost_{{ number }}{{ "," if not loop.last }}
    {% endfor %}
from sweep
{% if nodes is not none %}
where _node in ({{ nodes | join(", ") }})
{% endif %}
group by _node
order by _node
