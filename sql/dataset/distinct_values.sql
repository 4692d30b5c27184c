-- builds: distinct_values
-- reads: records or population
-- one row: quasi-identifier and distinct value, with its rows
select
    case
        {% for qi in quasi_identifiers %}
        when grouping({{ qi | ident }}) = 0 then {{ loop.index0 }}
        {% endfor %}
    end as _attribute,
    {{ quasi_identifiers | idents }},
    cast(count(*) as bigint) as _rows
from {{ relation }}
group by grouping sets (
    {%- for qi in quasi_identifiers %}({{ qi | ident }}){{ ", " if not loop.last }}{% endfor -%}
)
