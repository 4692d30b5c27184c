-- builds: aggregates
-- reads: records, recoding_<column> (perhaps class_results, region_assignments, regions)
-- one row: class of the recoding, with its rows without a value, and the figures that its rows show instead of their values
{% from "dataset/lookups.jinja" import same_keys %}
{% from "release/figures.jinja" import ends_of, parts, shown %}
{% from "release/labelled.jinja" import class_codes, labelled with context %}
{% set class = ["_class_number"] if regional else keys.values() | list %}
{% set needed = "greatest(figures._k, %d)" % k if k_column is not none else k %}
with figures as (
    select
        {{ class_codes(true) | indent }},
        {% if k_column is not none %}
        max(records.{{ k_column | ident }}) as _k,
        {% endif %}
        {{ parts(aggregates, entities) | indent(8) }}
    from {{ labelled("records") | indent }}
    group by all
){{ "," if hides_ends }}

{% if hides_ends %}
ends as (
    select
        {{ ends_of(intervals, needed) | indent(8) }}
    from figures
    join class_results
        on {{ same_keys(class, "figures", "class_results") | indent }}
    where not class_results._fails
)

{% endif %}
select
    {{ class | idents("figures") }},
    {% for column in aggregates %}
    figures._without_{{ column.number }},
    {{ shown(column, needed, not hides_ends) | indent }} as _shown_{{ column.number }}{{ "," if not loop.last }}
    {% endfor %}
from figures
{% if hides_ends %}
cross join ends
{% endif %}
