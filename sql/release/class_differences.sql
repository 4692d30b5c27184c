-- builds: class_differences
-- reads: written_classes, expected_classes (perhaps expected_histogram_<column>, reference_<column>, decided_entropies)
-- one row: class on which the written file and the source do not agree, and whether they do on the cells of its rows
with verdicts as (
{% include verdicts_template +%}
),

expected as (
    select
        {% for qi in quasi_identifiers %}
        {{ qi | ident }},
        {% endfor %}
        {% for name in sums %}
        sum({{ name }}) as {{ name }},
        {% endfor %}
        cast(sum(_rows) as bigint) as _rows
    from verdicts
    where not _fails
    group by
        {% for qi in quasi_identifiers %}
        {{ qi | ident }}{{ "," if not loop.last }}
        {% endfor %}
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
