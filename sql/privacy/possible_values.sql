-- builds: possible_values
-- reads: present_classes or class_results or written_classes, counts or class_members or expected_members, present_histogram_<column> or class_values_<column> or expected_histogram_<column>, repeated_persons (perhaps values_<column>)
-- one row: person with rows in several classes of a file, or in several released classes of a local recoding: the values of each constant sensitive column that all these classes have, and whether they are too few
{% from "privacy/possible_values.jinja" import possible_values %}
with {{ possible_values(classes, have_results, members, keys, possible, known_text) }}

select * from final
