-- builds: spans
-- reads: cells, partitions
-- one row: partition of the last round that may be cut, with the first and last position of each attribute in it
select
    cells._partition,
    {% for attribute in attributes %}
    min(cells.{{ attribute.name | ident }}) as _low_{{ loop.index }},
    max(cells.{{ attribute.name | ident }}) as _high_{{ loop.index }},
    {% endfor %}
    count(*) as _cells
from cells
join partitions
    on cells._partition = partitions._partition
where partitions._round = {{ round }} and partitions._rows >= {{ least_rows }}
group by cells._partition
