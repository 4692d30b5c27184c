-- builds: smallest_classes
-- reads: present_classes, values_<column>
-- one row: class of the file, the smallest first, with its values
select
    present_classes._rows,
    {% for qi in quasi_identifiers %}
    {{ ("values_" ~ qi) | ident }}.text as {{ qi | ident }}{{ "," if not loop.last }}
    {% endfor %}
from present_classes
{% for qi in quasi_identifiers %}
join {{ ("values_" ~ qi) | ident }}
    on present_classes.{{ qi | ident }} = {{ ("values_" ~ qi) | ident }}.code
{% endfor %}
order by present_classes._rows, {% for qi in quasi_identifiers %}present_classes.{{ qi | ident }}{{ ", " if not loop.last }}{% endfor +%}
limit {{ limit }}
