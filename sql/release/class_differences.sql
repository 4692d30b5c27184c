-- builds: class_differences
-- reads: written_classes, expected_classes (perhaps expected_histogram_<column>, reference_<column>, decided_entropies)
-- one row: class on which the written file and the source do not agree
with verdicts as (
{% include verdicts_template +%}
),

expected as (
    select *
    from verdicts
    where not _fails
)

select
    written_classes._rows as written_rows,
    expected._rows as expected_rows
from written_classes
full outer join expected
    on {% for qi in quasi_identifiers %}written_classes.{{ qi | ident }} is not distinct from expected.{{ qi | ident }}{{ "\n    and " if not loop.last }}{% endfor +%}
where written_classes._rows is distinct from expected._rows
