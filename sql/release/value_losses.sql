-- builds: value_losses
-- reads: records, recoding_<column>, verdicts (perhaps placements)
-- one row: column that is released as it is, by its number, and value of it, with its rows and those of them that are suppressed
with judged as (
    select
        {% for column in columns %}
        records.{{ column | ident }} as _value_{{ loop.index }},
        {% endfor %}
        case when not verdicts._fails then 0 else 1 end as _suppressed
    from records
    {% for qi in quasi_identifiers %}
    join {{ ("recoding_" ~ qi) | ident }}
        on records.{{ qi | ident }} is not distinct from {{ ("recoding_" ~ qi) | ident }}.value
    {% endfor %}
    {% if regional %}
    left join placements
        on {% for qi in quasi_identifiers %}{{ ("recoding_" ~ qi) | ident }}.code = placements.{{ qi | ident }}{{ "\n        and " if not loop.last }}{% endfor +%}
    left join verdicts
        on placements._class_number = verdicts._class_number
    {% else %}
    left join verdicts
        on {% for qi, key in keys.items() %}{{ ("recoding_" ~ qi) | ident }}.code = verdicts.{{ key | ident }}{{ "\n        and " if not loop.last }}{% endfor +%}
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
