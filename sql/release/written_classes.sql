-- builds: written_classes
-- reads: written_groups
-- one row: set of labels in the written file, with its rows, the fingerprints of their cells, and the least and the greatest value of linked columns
select
    {% for qi in quasi_identifiers %}
    cast(groups.{{ qi | ident }} as varchar) as {{ qi | ident }},
    {% endfor %}
    {% for name in sums %}
    sum(groups.{{ name }}) as {{ name }},
    {% endfor %}
    {% for column in linked %}
    min(groups._least_{{ loop.index }}) as _least_{{ loop.index }},
    max(groups._greatest_{{ loop.index }}) as _greatest_{{ loop.index }},
    cast(sum(groups._filled_{{ loop.index }}) as bigint) as _filled_{{ loop.index }},
    {% endfor %}
    cast(sum(groups._rows) as bigint) as _rows
from written_groups as groups
group by all
