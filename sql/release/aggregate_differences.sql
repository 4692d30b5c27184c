-- builds: aggregate_differences
-- reads: release, expected_classes, records, recoding_<column> (perhaps region_assignments, regions, expected_histogram_<column>, reference_<column>, entropy_comparisons)
-- one row: set of labels and figures with different numbers of rows in the file and in the source aggregated by labels
{% from "privacy/same_class.jinja" import same_class %}
{% from "release/figures.jinja" import ends_of, parts, shown %}
{% from "release/labelled.jinja" import labelled, own_label with context %}
{% set needed = "greatest(figures._k, %d)" % k if k_column is not none else k %}
with class_results as (
{% include class_results_template +%}
),

released as (
    select *
    from class_results
    where not _fails
),

figures as (
    select
        {% for name, qi in own_names.items() %}
        {{ own_label(qi) }} as {{ name | ident }},
        {% endfor %}
        {% if k_column is not none %}
        max(records.{{ k_column | ident }}) as _k,
        {% endif %}
        {{ parts(aggregates, entities) | indent(8) }}
    from {{ labelled("records") | indent }}
    group by all
),

{% if hides_ends %}
ends as (
    select
        {{ ends_of(intervals, needed) | indent(8) }}
    from figures
    join released
        on {{ same_class(own_names, "figures", "released") | indent(4) }}
),

{% endif %}
expected as (
    select
        {% for name in own_names if name in quasi_identifiers %}
        figures.{{ name | ident }},
        {% endfor %}
        {% for column in aggregates %}
        cast(cast({{ shown(column, needed, not hides_ends) | indent(8) }} as {{ column.type }}) as varchar) as _text_{{ column.number }},
        {% endfor %}
        cast(sum(released._rows) as bigint) as _rows
    from figures
    join released
        on {{ same_class(own_names, "figures", "released") | indent(4) }}
    {% if hides_ends %}
    cross join ends
    {% endif %}
    group by all
),

written as (
    select
        {% for name in own_names if name in quasi_identifiers %}
        cast({{ name | ident }} as varchar) as {{ name | ident }},
        {% endfor %}
        {% for column in aggregates %}
        cast({{ column.name | ident }} as varchar) as _text_{{ column.number }},
        {% endfor %}
        count(*) as _rows
    from release
    group by all
)

select
    written._rows as written_rows,
    expected._rows as expected_rows
from written
full outer join expected
    on {% for column in aggregates %}written._text_{{ column.number }} is not distinct from expected._text_{{ column.number }}{{ "\n    and " if not loop.last }}{% endfor +%}
    {% for name in own_names if name in quasi_identifiers %}
    and written.{{ name | ident }} is not distinct from expected.{{ name | ident }}
    {% endfor %}
where written._rows is distinct from expected._rows
