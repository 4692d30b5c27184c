-- builds: labels_at
-- reads: labels_<column>
-- one row: label on one level, with its code and its rows
select
    code,
    label,
    _rows
from {{ ("labels_" ~ column) | ident }}
where
    level = {{ level }}
    {% for name, value in chosen.items() %}
    and {{ name }} is not distinct from {{ value | literal }}
    {% endfor %}
order by code
