-- builds: suppressed
-- reads: verdicts, labels_<column>
-- one row: suppressed class, with the reason
select
    {% for qi in quasi_identifiers %}
    {{ ("labels_" ~ qi.name) | ident }}.label as {{ qi.name | ident }},
    {% endfor %}
    verdicts._rows,
    case
        {% if stars %}
        when verdicts._joins then 'joined the failing classes, which were too few'
        {% endif %}
        {% for column, reason in reasons.items() %}
        when verdicts.{{ column }} then {{ reason | literal }}
        {% endfor %}
        {% if last_reason is not none %}
        else {{ last_reason | literal }}
        {% endif %}
    end as _reason
from verdicts
{% for qi in quasi_identifiers %}
join {{ ("labels_" ~ qi.name) | ident }}
    on {{ ("labels_" ~ qi.name) | ident }}.level = {{ qi.level }}
    and {{ ("labels_" ~ qi.name) | ident }}.code = verdicts.{{ qi.key | ident }}
{% endfor %}
where verdicts._fails
order by
    verdicts._rows,
    {{ quasi_identifiers | map(attribute="key") | idents("verdicts") }}
