-- builds: class_sizes
-- reads: classes
-- one row: class size, with the number of classes of this size and their rows
select
    {{ size }} as size,
    count(*) as classes,
    cast(sum(_rows) as bigint) as _rows
from {{ classes }}
where
    _rows > 0
    {% if fails is not none %}
    and {{ "_fails" if fails else "not _fails" }}
    {% endif %}
    {% if without is not none %}
    and not {{ without }}
    {% endif %}
group by
    {{ size }}
order by size
