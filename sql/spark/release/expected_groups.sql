-- builds: expected_groups
-- reads: expected_rows
-- one row: set of labels that the recoding gives to the source, with its rows and the fingerprints of their cells
{% from "privacy/persons.jinja" import distinct_persons %}
{% from "release/fingerprint.jinja" import fingerprint, salted %}
select
    {{ quasi_identifiers | map("backticked") | join(",\n    ") }},
    {% if own_k %}
    cast(max(_k) as bigint) as _k,
    {% endif %}
    {% if persons %}
    cast({{ distinct_persons(persons, "_person") }} as bigint) as _persons,
    {% if persons > 1 %}
    cast({{ distinct_persons(1, "_person") }} as bigint) as _primary_persons,
    {% endif %}
    {% endif %}
    {% if persons and adversaries %}
    0 as _persons_of_one_set,
    {% endif %}
    {% for cells in fingerprints %}
    {{ fingerprint(cells, "expected") }} as _sum_{{ loop.index }},
    {{ salted(cells, "expected") }} as _salted_sum_{{ loop.index }},
    {% endfor %}
    {% for cells in fingerprints if stars %}
    {{ fingerprint(cells, "masked") }} as _masked_sum_{{ loop.index }},
    {{ salted(cells, "masked") }} as _masked_salted_sum_{{ loop.index }},
    {% endfor %}
    cast(count(*) as bigint) as _rows
from expected_rows
group by
    {{ quasi_identifiers | map("backticked") | join(",\n    ") }}
