-- builds: possible_values
-- reads: present_classes, counts, present_histogram_<column>, values_<column>, repeated_persons
-- one row: person with rows in several classes of the file: the values of each constant sensitive column that all these classes have, and whether they are too few
{% from "privacy/possible_values.jinja" import possible_values %}
with {{ possible_values("present_classes", "counts", quasi_identifiers, possible, known_text) }}

select * from final
