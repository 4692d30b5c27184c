-- builds: possible_values
-- reads: written_classes, expected_members, expected_histogram_<column>, repeated_persons
-- one row: person with rows in several classes of the written file: the values of each constant sensitive column that all these classes have, and whether they are too few
{% from "privacy/possible_values.jinja" import possible_values %}
with {{ possible_values("written_classes", "expected_members", quasi_identifiers, possible, known_text) }}

select * from final
