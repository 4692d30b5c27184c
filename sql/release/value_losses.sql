-- builds: value_losses
-- reads: records, recoding_<column>, verdicts (perhaps placements)
-- one row: column that is released unchanged, by its number, and value, with its rows and its suppressed rows
{% from "dataset/lookups.jinja" import by_value %}
{% from "release/labelled.jinja" import same_codes with context %}
with judged as (
    select
        {% for column in columns %}
        records.{{ column | ident }} as _value_{{ loop.index }},
        {% endfor %}
        case when not verdicts._fails then 0 else 1 end as _suppressed
    from records
    {{ by_value("records", "recoding", quasi_identifiers) | indent }}
    {% if regional %}
    left join placements
        on {{ same_codes("placements") | indent }}
    left join verdicts
        on placements._class_number = verdicts._class_number
    {% else %}
    left join verdicts
        on {{ same_codes("verdicts") | indent }}
    {% endif %}
)

select
    case
        {% for column in columns %}
        when grouping(_value_{{ loop.index }}) = 0 then {{ loop.index }}
        {% endfor %}
    end as _attribute,
    {% for column in columns %}
    _value_{{ loop.index }},
    {% endfor %}
    cast(count(*) as bigint) as _rows,
    cast(sum(_suppressed) as bigint) as _suppressed
from judged
group by grouping sets (
    {%- for column in columns %}(_value_{{ loop.index }}){{ ", " if not loop.last }}{% endfor -%}
)
