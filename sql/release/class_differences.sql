-- builds: class_differences
-- reads: written_classes, expected_classes (perhaps recoding_<column>, ranges_<column>, expected_members, expected_histogram_<column>, reference_<column>, entropy_comparisons)
-- one row: class, or all masked records, that differs between the written file and the source, and whether the cells of its rows are equal
{% from "privacy/same_class.jinja" import same_class %}
{% from "release/labelled.jinja" import masked_labels %}
with class_results as (
{% include class_results_template +%}
),

expected as (
    select
        {{ masked_labels("class_results", quasi_identifiers, ranged) | indent if keep_suppressed_rows else quasi_identifiers | idents | indent }},
        {% for name in sums %}
        sum({{ "case when _fails then _masked%s else %s end" % (name, name) if keep_suppressed_rows else name }}) as {{ name }},
        {% endfor %}
        cast(sum(_rows) as bigint) as _rows
    from class_results
    {% if not keep_suppressed_rows %}
    where not _fails
    {% endif %}
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
    on {{ same_class(quasi_identifiers, "written_classes", "expected") }}
where written_classes._rows is distinct from expected._rows
{% for name in sums %}
    or written_classes.{{ name }} is distinct from expected.{{ name }}
{% endfor %}
