-- builds: split_classes
-- reads: written_classes
-- one row: class of the written file in which a linked column shows more than one value
select _rows
from written_classes
where
    {% for column in linked %}
    {{ "or " if not loop.first }}_least_{{ loop.index }} <> _greatest_{{ loop.index }}
    or (_filled_{{ loop.index }} > 0 and _filled_{{ loop.index }} < _rows)
    {% endfor %}
