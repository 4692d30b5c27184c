-- builds: present_classes
-- reads: counts (perhaps population_counts, values_<column>)
-- one row: set of quasi-identifier values in the file, as codes, with its rows, and whether these are masked records
{% from "privacy/persons.jinja" import counted_persons %}
{% from "dataset/lookups.jinja" import by_code, same_keys %}
with grouped as (
    select
        {{ quasi_identifiers | idents | indent }},{{ counted_persons(own_k, persons) | indent }}
        cast(sum(_rows) as bigint) as _rows
    from counts
    {% if has_sensitive %}
    where _attribute = 0
    {% endif %}
    group by
        {{ quasi_identifiers | idents | indent }}
)

select
    grouped.*,
    {% if population %}
    coalesce(population_counts._population, 0) as _population,
    {% endif %}
    {% for qi in quasi_identifiers %}
    coalesce({{ ("values_" ~ qi) | ident }}.text = {{ token | literal }}, false){{ " and " if not loop.last }}
    {%- endfor %} as _suppressed
from {{ by_code("grouped", "values", quasi_identifiers) }}
{% if population %}
left join population_counts
    on {{ same_keys(quasi_identifiers, "grouped", "population_counts") }}
{% endif %}
{% if shown_only %}
-- records that hide every quasi-identifier match any record; only if all records do are they a class
qualify not _suppressed or bool_and(_suppressed) over ()
{% endif %}
