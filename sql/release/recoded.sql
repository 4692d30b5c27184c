-- builds: recoded
-- reads: records, recoding_<column> (perhaps verdicts, aggregates, texts_<column>)
-- one row: row to be released, with the labels of the recoding
select
    {% for column in columns if column.coded != "star" %}
    {% set recoding = ("recoding_" ~ column.name) | ident %}
    {% if column.coded == "label" %}
    {{ recoding }}.code as {{ column.name | ident }}{{ "," if not loop.last }}
    {% elif column.coded == "text" %}
    {{ ("texts_" ~ column.name) | ident }}.code as {{ column.name | ident }}{{ "," if not loop.last }}
    {% elif column.shows == "label" and stars %}
    case when starred._fails then {{ recoding }}.top else {{ recoding }}.label end as {{ column.name | ident }}{{ "," if not loop.last }}
    {% elif column.shows == "label" %}
    {{ recoding }}.label as {{ column.name | ident }}{{ "," if not loop.last }}
    {% elif column.shows == "aggregate" %}
    {{ "cast(aggregates._shown_%d as %s)" % (column.number, column.cast) if column.cast else "aggregates._shown_%d" % column.number }} as {{ column.name | ident }}{{ "," if not loop.last }}
    {% elif column.shows == "star" %}
    '*' as {{ column.name | ident }}{{ "," if not loop.last }}
    {% else %}
    {% set value = recoding ~ ".value" if column.shows == "value" else "records." ~ (column.name | ident) %}
    {% set cell = "cast(" ~ value ~ " as " ~ column.cast ~ ")" if column.cast else value %}
    {% if column.shows == "itself where shown" %}
    case when {{ "starred._fails or " if stars }}{{ ("recoding_" ~ column.leader) | ident }}.label is distinct from cast({{ ("recoding_" ~ column.leader) | ident }}.value as varchar) then '*' else {{ cell }} end as {{ column.name | ident }}{{ "," if not loop.last }}
    {% elif column.shows == "itself or star" and stars %}
    case when starred._fails then '*' else {{ cell }} end as {{ column.name | ident }}{{ "," if not loop.last }}
    {% elif column.shows == "itself" and not column.cast %}
    {{ cell }}{{ "," if not loop.last }}
    {% else %}
    {{ cell }} as {{ column.name | ident }}{{ "," if not loop.last }}
    {% endif %}
    {% endif %}
    {% endfor %}
from records
{% for name in keys %}
join {{ ("recoding_" ~ name) | ident }}
    on records.{{ name | ident }} is not distinct from {{ ("recoding_" ~ name) | ident }}.value
{% endfor %}
{% for column in columns if column.coded == "text" %}
join {{ ("texts_" ~ column.name) | ident }}
    on records.{{ column.name | ident }} is not distinct from {{ ("texts_" ~ column.name) | ident }}.value
{% endfor %}
{% if aggregates %}
join aggregates
    on {% for name, key in keys.items() %}{{ ("recoding_" ~ name) | ident }}.code = aggregates.{{ key | ident }}{{ "\n    and " if not loop.last }}{% endfor +%}
{% endif %}
{% if stars %}
left join (
    select *
    from verdicts
    where _fails
) as starred
    on {% for name, key in keys.items() %}starred.{{ key | ident }} = {{ ("recoding_" ~ name) | ident }}.code{{ "\n    and " if not loop.last }}{% endfor +%}
{% elif suppresses %}
where not exists (
    select 1
    from verdicts
    where verdicts._fails
    {% for name, key in keys.items() %}
        and verdicts.{{ key | ident }} = {{ ("recoding_" ~ name) | ident }}.code
    {% endfor %}
)
{% endif %}
