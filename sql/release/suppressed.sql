-- builds: suppressed
-- reads: verdicts, labels_<column>
-- one row: class that was removed, and why
select
    {% for qi in quasi_identifiers %}
    {{ ("labels_" ~ qi.name) | ident }}.label as {{ qi.name | ident }},
    {% endfor %}
    verdicts._rows,
    {{ reason | literal }} as _reason
from verdicts
{% for qi in quasi_identifiers %}
join {{ ("labels_" ~ qi.name) | ident }}
    on {{ ("labels_" ~ qi.name) | ident }}.level = {{ qi.level }}
    and {{ ("labels_" ~ qi.name) | ident }}.code = verdicts.{{ qi.key | ident }}
{% endfor %}
where verdicts._fails
order by verdicts._rows, {% for qi in quasi_identifiers %}verdicts.{{ qi.key | ident }}{{ ", " if not loop.last }}{% endfor +%}
