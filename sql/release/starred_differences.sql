-- builds: starred_differences
-- reads: written_classes, expected_classes, recoding_<column> (perhaps expected_histogram_<column>, reference_<column>, decided_entropies)
-- one row: class, or the starred rows, on which the written file and the source do not agree, and whether they do on the cells of its rows
with verdicts as (
{% include verdicts_template +%}
),

expected as (
    select
        {% for qi in quasi_identifiers %}
        case when _fails then (select max(top) from {{ ("recoding_" ~ qi) | ident }}) else {{ qi | ident }} end as {{ qi | ident }},
        {% endfor %}
        {% for name in sums %}
        sum(case when _fails then _starred{{ name }} else {{ name }} end) as {{ name }},
        {% endfor %}
        cast(sum(_rows) as bigint) as _rows
    from verdicts
    group by all
)

select
    written_classes._rows as written_rows,
    expected._rows as expected_rows{{ "," if sums }}
    {% for name in sums %}
    written_classes.{{ name }} is not distinct from expected.{{ name }} as same{{ name }}{{ "," if not loop.last }}
    {% endfor %}
from written_classes
full outer join expected
    on {% for qi in quasi_identifiers %}written_classes.{{ qi | ident }} is not distinct from expected.{{ qi | ident }}{{ "\n    and " if not loop.last }}{% endfor +%}
where written_classes._rows is distinct from expected._rows
{% for name in sums %}
    or written_classes.{{ name }} is distinct from expected.{{ name }}
{% endfor %}
