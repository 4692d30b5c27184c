-- builds: recoded
-- reads: records, recoding_<column> (perhaps labels_<column>, texts_<column>, verdicts, aggregates, placements, regions)
-- one row: row to be released, with the labels of the recoding
with coded as (
{% include recoded_template %}
),

shuffled as (
    select *
    from coded
    order by random()
)

select
    {% for column in columns %}
    {% if column.coded == "label" %}
    {{ ("labels_" ~ column.name) | ident }}.label as {{ column.name | ident }}{{ "," if not loop.last }}
    {% elif column.coded == "region" %}
    regions.{{ column.name | ident }}{{ "," if not loop.last }}
    {% elif column.coded == "text" %}
    {% set value = ("texts_" ~ column.name) | ident ~ ".value" %}
    {{ "cast(%s as %s)" % (value, column.cast) if column.cast else value }} as {{ column.name | ident }}{{ "," if not loop.last }}
    {% elif column.coded == "star" %}
    '*' as {{ column.name | ident }}{{ "," if not loop.last }}
    {% else %}
    shuffled.{{ column.name | ident }}{{ "," if not loop.last }}
    {% endif %}
    {% endfor %}
from shuffled
{% for column in columns if column.coded == "label" %}
join {{ ("labels_" ~ column.name) | ident }}
    on {{ ("labels_" ~ column.name) | ident }}.level = {{ levels[column.name] }}
    and {{ ("labels_" ~ column.name) | ident }}.code = shuffled.{{ column.name | ident }}
{% endfor %}
{% if columns | selectattr("coded", "equalto", "region") | list %}
join regions
    on shuffled._region = regions._region
{% endif %}
{% for column in columns if column.coded == "text" %}
join {{ ("texts_" ~ column.name) | ident }}
    on shuffled.{{ column.name | ident }} = {{ ("texts_" ~ column.name) | ident }}.code
{% endfor %}
