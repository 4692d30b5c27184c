-- builds: spans
-- reads: cells (perhaps partitions)
-- one row: partition, with the first and last position of each attribute in it, and its sets of quasi-identifier values
select
    cells._partition,
    {% for attribute in attributes %}
    min(cells.{{ attribute.name | ident }}) as _low_{{ loop.index }},
    max(cells.{{ attribute.name | ident }}) as _high_{{ loop.index }},
    {% endfor %}
    count(*) as _cells
from cells
{% if round is not none %}
semi join partitions
    on cells._partition = partitions._partition
    and partitions._round = {{ round }}
    and partitions._rows >= {{ least_rows }}
{% endif %}
group by cells._partition
