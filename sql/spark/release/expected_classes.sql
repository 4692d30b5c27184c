-- builds: expected_classes
-- reads: expected_rows (perhaps expected_population)
-- one row: set of labels that the recoding gives to the source, with its rows, the fingerprints of their cells and the rows of the population
{% from "privacy/persons.jinja" import counted_persons %}
{% from "release/fingerprint.jinja" import sums %}
with grouped as (
    select
        {{ quasi_identifiers | map("backticked") | join(",\n        ") }},{{ counted_persons(own_k, persons, adversaries) | indent }}{{ (sums(fingerprints, "expected") ~ (sums(fingerprints, "masked", "_masked") if keep_suppressed_rows else "")) | indent }}
        cast(count(*) as bigint) as _rows
    from expected_rows
    group by
        {{ quasi_identifiers | map("backticked") | join(",\n        ") }}
)

select
    grouped.*{{ ",\n    coalesce(expected_population._population, 0) as _population" if population }}
from grouped
{% if population %}
left join expected_population
    on {% for key in quasi_identifiers %}grouped.{{ key | backticked }} <=> expected_population.{{ key | backticked }}{{ "\n    and " if not loop.last }}{% endfor +%}
{% endif %}
