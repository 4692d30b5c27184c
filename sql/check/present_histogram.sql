-- builds: present_histogram_<column>
-- reads: counts
-- one row: set of quasi-identifier values in the file, and sensitive value, as codes, with its rows, or the persons who have it
select
    {% for qi in quasi_identifiers %}
    {{ qi | ident }},
    {% endfor %}
    _value_{{ number }} as _value,
    {% if persons %}
    count(distinct _entity) + max(case when _entity is null then 1 else 0 end) as _value_rows
    {% else %}
    _rows as _value_rows
    {% endif %}
from counts
where _attribute = {{ number }}
{% if persons %}
group by
    {% for qi in quasi_identifiers %}
    {{ qi | ident }},
    {% endfor %}
    _value_{{ number }}
{% endif %}
