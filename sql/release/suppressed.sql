-- builds: suppressed
-- reads: verdicts, labels_<column>
-- one row: class that was removed, and why
select
    {% for qi in quasi_identifiers %}
    {{ ("labels_" ~ qi.name) | ident }}.label as {{ qi.name | ident }},
    {% endfor %}
    verdicts._rows,
    {% if stars %}
    case when verdicts._joins then 'joined the failing classes, which were too few' else {{ reason | literal }} end as _reason
    {% else %}
    {{ reason | literal }} as _reason
    {% endif %}
from verdicts
{% for qi in quasi_identifiers %}
join {{ ("labels_" ~ qi.name) | ident }}
    on {{ ("labels_" ~ qi.name) | ident }}.level = {{ qi.level }}
    and {{ ("labels_" ~ qi.name) | ident }}.code = verdicts.{{ qi.key | ident }}
{% endfor %}
where verdicts._fails
order by verdicts._rows, {% for qi in quasi_identifiers %}verdicts.{{ qi.key | ident }}{{ ", " if not loop.last }}{% endfor +%}
