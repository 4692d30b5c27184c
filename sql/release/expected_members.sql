-- builds: expected_members
-- reads: expected_rows
-- one row: set of labels that the recoding gives to the source, and person with records in it, with these rows
{% from "privacy/persons.jinja" import person %}
select
    {{ quasi_identifiers | idents }},
    {% for number in range(1, persons + 1) %}
    {{ person(number, "_person") }} as {{ person(number) }},
    {% endfor %}
    cast(count(*) as bigint) as _rows
from expected_rows
group by all
