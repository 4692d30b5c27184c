-- builds: aggregates
-- reads: records, recoding_<column> (perhaps verdicts, placements, regions)
-- one row: class of the recoding, with what its rows show in place of their own values
{% from "release/figures.jinja" import ends_of, parts, shown %}
{% from "release/labelled.jinja" import labelled with context %}
{% set class = ["_class_number"] if regional else keys.values() | map("ident") | list %}
{% set needed = "greatest(figures._k, %d)" % k if k_column is not none else k %}
with figures as (
    select
        {% if regional %}
        placements._class_number,
        {% else %}
        {% for qi, key in keys.items() %}
        {{ ("recoding_" ~ qi) | ident }}.code as {{ key | ident }},
        {% endfor %}
        {% endif %}
        {% if k_column is not none %}
        max(records.{{ k_column | ident }}) as _k,
        {% endif %}
        {{ parts(aggregates, entity) | indent(8) }}
    from records
    {{ labelled("records") | indent }}
    group by
        {% if regional %}
        placements._class_number
        {% else %}
        {% for qi in quasi_identifiers %}
        {{ ("recoding_" ~ qi) | ident }}.code{{ "," if not loop.last }}
        {% endfor %}
        {% endif %}
){{ "," if hides_ends }}

{% if hides_ends %}
ends as (
    select
        {{ ends_of(intervals, needed) | indent(8) }}
    from figures
    join verdicts
        on {% for key in class %}figures.{{ key }} = verdicts.{{ key }}{{ "\n        and " if not loop.last }}{% endfor +%}
    where not verdicts._fails
)

{% endif %}
select
    {% for key in class %}
    figures.{{ key }},
    {% endfor %}
    {% for column in aggregates %}
    {{ shown(column, needed, not hides_ends) | indent }} as _shown_{{ column.number }}{{ "," if not loop.last }}
    {% endfor %}
from figures
{% if hides_ends %}
cross join ends
{% endif %}
