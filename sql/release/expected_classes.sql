-- builds: expected_classes
-- reads: records, recoding_<column> (perhaps placements, regions, aggregates, expected_population)
-- one row: set of labels that the source gives through the recoding, with its rows
{% from "release/labelled.jinja" import aggregated, label, labelled with context %}
{% if population %}
select
    classes.*,
    coalesce(expected_population._population, 0) as _population
from (
{% endif %}
select
    {% for qi in quasi_identifiers %}
    {{ label(qi) }} as {{ qi | ident }},
    {% endfor %}
    {% if k_column is not none %}
    cast(max(records.{{ k_column | ident }}) as bigint) as _k,
    {% endif %}
    {% if entity is not none %}
    cast(count(distinct records.{{ entity | ident }}) + max(case when records.{{ entity | ident }} is null then 1 else 0 end) as bigint) as _persons,
    {% endif %}
    cast(count(*) as bigint) as _rows
from records
{{ labelled("records") }}
{{ aggregated() }}
group by
    {% for qi in quasi_identifiers %}
    {{ label(qi) }}{{ "," if not loop.last }}
    {% endfor %}
{% if population %}
) as classes
left join expected_population
    on {% for qi in quasi_identifiers %}classes.{{ qi | ident }} is not distinct from expected_population.{{ qi | ident }}{{ "\n    and " if not loop.last }}{% endfor +%}
{% endif %}
