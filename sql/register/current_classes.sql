-- builds: current_classes
-- reads: records, values_<column>, recoding_<column>, class_results (perhaps region_assignments)
-- one row: distinct set of the values by which releases are compared, or of a person's quasi-identifier values, with its rows and its class in the new release, NULL if suppressed
{% from "dataset/lookups.jinja" import by_value, named_codes %}
{% from "release/labelled.jinja" import in_class, placed with context %}
with cells as (
    select
        {{ named_codes("values", quasi_identifiers) | indent }},
        {% for name, text in texts.items() %}
        {{ text }} as {{ name | ident }},
        {% endfor %}
        cast(count(*) as bigint) as _rows
    from {{ by_value("records", "values", quasi_identifiers) | indent }}
    {{ "where %s is not null" % texts["_person"] if of_persons }}
    group by all
),

released_classes as (
    select
        *,
        row_number() over () as _class
    from class_results
    where not _fails
)

select
    cells.*,
    released_classes._class
from cells
{% for qi in quasi_identifiers %}
join {{ ("values_" ~ qi) | ident }}
    on cells.{{ qi | ident }} = {{ ("values_" ~ qi) | ident }}.code
join {{ ("recoding_" ~ qi) | ident }}
    on {{ ("values_" ~ qi) | ident }}.value is not distinct from {{ ("recoding_" ~ qi) | ident }}.value
{% endfor %}
{{ placed("left join") }}
left join released_classes
    on {{ in_class("released_classes") }}
