-- builds: possible_values
-- reads: verdicts, class_members, class_values_<column>, repeated_persons, values_<column>
-- one row: person with rows in several released classes of a local recoding: the values of each constant sensitive column that all these classes have, and whether they are too few
{% from "privacy/possible_values.jinja" import possible_values %}
with released as (
    select *
    from verdicts
    where not _fails
),

{{ possible_values("released", "class_members", ["_class_number"], possible, known_text) }}

select * from final
