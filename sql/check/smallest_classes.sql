-- builds: smallest_classes
-- reads: present_classes, values_<column>
-- one row: class of the file, the smallest first, with its values
{% from "dataset/lookups.jinja" import by_code %}
select
    present_classes._rows,
    {% for qi in quasi_identifiers %}
    {{ ("values_" ~ qi) | ident }}.text as {{ qi | ident }}{{ "," if not loop.last }}
    {% endfor %}
from {{ by_code("present_classes", "values", quasi_identifiers) }}
order by
    present_classes._rows,
    {{ quasi_identifiers | idents("present_classes") }}
limit {{ limit }}
