-- builds: counts
-- reads: records, values_<column>
-- one row: distinct set of value codes, and the same with each value of one more column, with its rows
{% from "dataset/lookups.jinja" import by_value, codes, grouped_by, named_codes %}
{% from "privacy/persons.jinja" import named_people %}
{% set keys = codes("values", quasi_identifiers, ", ") ~ (", " ~ entities | idents("records") if entities else "") %}
select
    {{ named_codes("values", quasi_identifiers) }},{{ "\n    cast(max(records.%s) as bigint) as _k," % (k_column | ident) if k_column is not none }}{{ named_people(entities) }}
    {% for column in counted %}
    {{ ("values_" ~ column) | ident }}.code as _value_{{ loop.index }},
    {% endfor %}
    {{ grouped_by("values", counted) -}}
    cast(count(*) as bigint) as _rows
from {{ by_value("records", "values", quasi_identifiers + counted) }}
{% if counted %}
group by grouping sets (
    ({{ keys }}),
    {% for column in counted %}
    ({{ keys }}, {{ ("values_" ~ column) | ident }}.code){{ "," if not loop.last }}
    {% endfor %}
)
{% else %}
group by {{ keys }}
{% endif %}
