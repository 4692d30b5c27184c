-- builds: distinct_values
-- reads: records
-- one row: quasi-identifier and distinct value, with its rows
select
    case
        {% for qi in quasi_identifiers %}
        when grouping({{ qi | ident }}) = 0 then {{ loop.index0 }}
        {% endfor %}
    end as _attribute,
    {% for qi in quasi_identifiers %}
    {{ qi | ident }},
    {% endfor %}
    cast(count(*) as bigint) as _rows
from records
group by grouping sets (
    {%- for qi in quasi_identifiers %}({{ qi | ident }}){{ ", " if not loop.last }}{% endfor -%}
)
