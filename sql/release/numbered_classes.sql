-- builds: numbered_classes
-- reads: verdicts, labels_<column>
-- one row: class that is released, by the number that stands for its labels while rows are shuffled
select
    row_number() over () as _class,
    {% for qi in quasi_identifiers %}
    {{ ("labels_" ~ qi.name) | ident }}.label as {{ qi.name | ident }},
    {% endfor %}
    {% for qi in quasi_identifiers %}
    verdicts.{{ qi.key | ident }}{{ "," if not loop.last }}
    {% endfor %}
from verdicts
{% for qi in quasi_identifiers %}
join {{ ("labels_" ~ qi.name) | ident }}
    on {{ ("labels_" ~ qi.name) | ident }}.level = {{ qi.level }}
    and {{ ("labels_" ~ qi.name) | ident }}.code = verdicts.{{ qi.key | ident }}
{% endfor %}
where not verdicts._fails
