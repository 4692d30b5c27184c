-- builds: classes
-- reads: verdicts, labels_<column>
-- one row: equivalence class of the release
select
    {% for qi in quasi_identifiers %}
    {{ ("labels_" ~ qi.name) | ident }}.label as {{ qi.name | ident }},
    {% endfor %}
    verdicts._rows
from verdicts
{% for qi in quasi_identifiers %}
join {{ ("labels_" ~ qi.name) | ident }}
    on {{ ("labels_" ~ qi.name) | ident }}.level = {{ qi.level }}
    and {{ ("labels_" ~ qi.name) | ident }}.code = verdicts.{{ qi.key | ident }}
{% endfor %}
where not verdicts._fails
order by
    verdicts._rows desc,
    {{ quasi_identifiers | map(attribute="key") | idents("verdicts") }}
