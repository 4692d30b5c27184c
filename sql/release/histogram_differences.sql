-- builds: histogram_differences
-- reads: expected_classes, written_histogram_<column>, expected_histogram_<column> (perhaps ranges_<column>, recoding_<column>, reference_<column>, entropy_comparisons)
-- one row: class and sensitive value that differ between the written file and the source
{% from "privacy/same_class.jinja" import same_class %}
{% from "release/labelled.jinja" import masked_labels %}
with class_results as (
{% include class_results_template +%}
),

expected as (
    select
        {{ masked_labels("class_results", quasi_identifiers, ranged) | indent if keep_suppressed_rows else quasi_identifiers | idents("class_results") | indent }},
        histogram._value,
        cast(sum(histogram.{{ "_file_rows" if persons else "_value_rows" }}) as bigint) as _value_rows
    from {{ ("expected_histogram_" ~ column) | ident }} as histogram
    join class_results
        on {{ same_class(class_keys, "histogram", "class_results") }}
    {% if not keep_suppressed_rows %}
    where not class_results._fails
        {% if persons %}
        and histogram._file_rows > 0
        {% endif %}
    {% endif %}
    group by all
)

select
    written._value_rows as written_rows,
    expected._value_rows as expected_rows
from {{ ("written_histogram_" ~ column) | ident }} as written
full outer join expected
    on {{ same_class(quasi_identifiers, "written", "expected") }}
    and written._value is not distinct from expected._value
where written._value_rows is distinct from expected._value_rows
