-- builds: recoded
-- reads: records, recoding_<column>, verdicts
-- one row: row to be released, with the labels of the recoding
select
    {% for column in columns %}
    {% if column.name in keys %}
    {{ ("recoding_" ~ column.name) | ident }}.{{ "value" if column.keeps_type else "label" }} as {{ column.name | ident }}{{ "," if not loop.last }}
    {% else %}
    records.{{ column.name | ident }}{{ "," if not loop.last }}
    {% endif %}
    {% endfor %}
from records
{% for name in keys %}
join {{ ("recoding_" ~ name) | ident }}
    on records.{{ name | ident }} is not distinct from {{ ("recoding_" ~ name) | ident }}.value
{% endfor %}
{% if suppresses %}
where not exists (
    select 1
    from verdicts
    where verdicts._fails
    {% for name, key in keys.items() %}
        and verdicts.{{ key | ident }} = {{ ("recoding_" ~ name) | ident }}.code
    {% endfor %}
)
{% endif %}
{% if shuffle %}
order by random()
{% endif %}
