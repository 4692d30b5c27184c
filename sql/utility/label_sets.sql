-- builds: label_sets
-- reads: outcomes
-- one row: distinct set of released labels, with its rows
select
    {% for attribute in attributes %}
    _label_{{ attribute.number }},
    {% endfor %}
    cast(sum(_rows) as bigint) as _rows
from outcomes
where not _fails
group by all
