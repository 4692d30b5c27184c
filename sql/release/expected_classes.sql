-- builds: expected_classes
-- reads: expected_rows (perhaps expected_population)
-- one row: set of labels that the recoding gives to the source, with its rows, the fingerprints of their cells and the rows of the population
{% from "privacy/persons.jinja" import counted_persons %}
{% from "privacy/same_class.jinja" import same_class %}
{% from "release/fingerprint.jinja" import sums %}
with grouped as (
    select
        {{ quasi_identifiers | idents | indent }},{{ counted_persons(own_k, persons, adversaries) | indent }}{{ (sums(fingerprints, "expected") ~ (sums(fingerprints, "masked", "_masked") if keep_suppressed_rows else "")) | indent }}
        cast(count(*) as bigint) as _rows
    from expected_rows
    group by
        {{ quasi_identifiers | idents | indent }}
)

select
    grouped.*{{ ",\n    coalesce(expected_population._population, 0) as _population" if population }}
from grouped
{% if population %}
left join expected_population
    on {{ same_class(quasi_identifiers, "grouped", "expected_population") }}
{% endif %}
