-- builds: aggregate_differences
-- reads: release, records, recoding_<column>, aggregates (perhaps placements, regions)
-- one row: set of labels and figures in the file that the source does not give in as many rows
{% from "release/labelled.jinja" import aggregated, label, labelled with context %}
with written as (
    select
        {% for qi in quasi_identifiers %}
        cast({{ qi | ident }} as varchar) as {{ qi | ident }},
        {% endfor %}
        {% for column in aggregates %}
        cast({{ column.name | ident }} as varchar) as _shown_{{ column.number }},
        {% endfor %}
        count(*) as _rows
    from release
    group by all
),

expected as (
    select
        {% for qi in quasi_identifiers %}
        {{ label(qi) }} as {{ qi | ident }},
        {% endfor %}
        {% for column in aggregates %}
        cast({{ "cast(aggregates._shown_%d as %s)" % (column.number, column.cast) if column.cast else "aggregates._shown_%d" % column.number }} as varchar) as _shown_{{ column.number }},
        {% endfor %}
        count(*) as _rows
    from records
    {{ labelled("records") | indent }}
    {{ aggregated() | indent }}
    group by all
)

select
    written._rows as written_rows,
    expected._rows as expected_rows
from written
left join expected
    on {% for qi in quasi_identifiers %}written.{{ qi | ident }} is not distinct from expected.{{ qi | ident }}{{ "\n    and " if not loop.last }}{% endfor +%}
    {% for column in aggregates %}
    and written._shown_{{ column.number }} is not distinct from expected._shown_{{ column.number }}
    {% endfor %}
where written._rows is distinct from expected._rows
