-- builds: expected_members
-- reads: expected_rows
-- one row: set of labels that the recoding gives to the source, and person with records in it
{% from "privacy/persons.jinja" import person %}
select distinct
    {{ quasi_identifiers | idents }},
    {% for number in range(1, persons + 1) %}
    {{ person(number, "_person") }} as {{ person(number) }}{{ "," if not loop.last }}
    {% endfor %}
from expected_rows
