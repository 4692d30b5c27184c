-- builds: starred_differences
-- reads: written_classes, expected_classes, recoding_<column> (perhaps expected_histogram_<column>, reference_<column>, decided_entropies)
-- one row: class, or the starred rows, on which the written file and the source do not agree
with verdicts as (
{% include verdicts_template +%}
),

expected as (
    select
        {% for qi in quasi_identifiers %}
        case when _fails then (select max(top) from {{ ("recoding_" ~ qi) | ident }}) else {{ qi | ident }} end as {{ qi | ident }},
        {% endfor %}
        cast(sum(_rows) as bigint) as _rows
    from verdicts
    group by all
)

select
    written_classes._rows as written_rows,
    expected._rows as expected_rows
from written_classes
full outer join expected
    on {% for qi in quasi_identifiers %}written_classes.{{ qi | ident }} is not distinct from expected.{{ qi | ident }}{{ "\n    and " if not loop.last }}{% endfor +%}
where written_classes._rows is distinct from expected._rows
