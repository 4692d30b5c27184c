-- builds: extents
-- reads: cells
-- one row: uncut partition, with the first and last position of each attribute in it
select
    _partition,
    {% for attribute in attributes %}
    min({{ attribute.name | ident }}) as _low_{{ loop.index }},
    max({{ attribute.name | ident }}) as _high_{{ loop.index }}{{ "," if not loop.last }}
    {% endfor %}
from cells
group by _partition
