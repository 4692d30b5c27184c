-- builds: expected_members
-- reads: expected_rows
-- one row: set of labels that the recoding gives to the source, and person with records in it, with these rows
{% from "privacy/persons.jinja" import people %}
select
    {{ quasi_identifiers | idents }},
    {{ people(persons) }},
    cast(count(*) as bigint) as _rows
from expected_rows
group by all
