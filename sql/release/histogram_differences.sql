-- builds: histogram_differences
-- reads: expected_classes, written_histogram_<column>, expected_histogram_<column> (perhaps ranges_<column>, recoding_<column>, reference_<column>, entropy_comparisons)
-- one row: class and sensitive value that differ between the written file and the source
{% from "privacy/same_class.jinja" import same_class %}
{% from "release/masked.jinja" import masked_labels %}
with verdicts as (
{% include verdicts_template +%}
),

expected as (
    select
        {{ masked_labels("verdicts", quasi_identifiers, ranged) | indent if stars else quasi_identifiers | idents("verdicts") | indent }},
        histogram._value,
        cast(sum(histogram.{{ "_file_rows" if persons else "_value_rows" }}) as bigint) as _value_rows
    from {{ ("expected_histogram_" ~ column) | ident }} as histogram
    join verdicts
        on {{ same_class(class_keys, "histogram", "verdicts") }}
    {% if not stars %}
    where not verdicts._fails
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
