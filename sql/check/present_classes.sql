-- builds: present_classes
-- reads: counts (perhaps population_counts, values_<column>)
-- one row: set of quasi-identifier values in the file, as codes, with its rows, and whether it is that of suppressed rows
with grouped as (
    select
        {% for qi in quasi_identifiers %}
        {{ qi | ident }},
        {% endfor %}
        {% if own_k %}
        max(_k) as _k,
        {% endif %}
        {% if persons %}
        count(distinct _entity) + max(case when _entity is null then 1 else 0 end) as _persons,
        {% endif %}
        cast(sum(_rows) as bigint) as _rows
    from counts
    {% if has_sensitive %}
    where _attribute = 0
    {% endif %}
    group by
        {{ quasi_identifiers | map("ident") | join(",\n        ") }}
)

select
    grouped.*,
    {% if population %}
    coalesce(population_counts._population, 0) as _population,
    {% endif %}
    {% for qi in quasi_identifiers %}
    coalesce({{ ("values_" ~ qi) | ident }}.text = {{ token | literal }}, false){{ " and " if not loop.last }}
    {%- endfor %} as _suppressed
from grouped
{% for qi in quasi_identifiers %}
join {{ ("values_" ~ qi) | ident }}
    on grouped.{{ qi | ident }} = {{ ("values_" ~ qi) | ident }}.code
{% endfor %}
{% if population %}
left join population_counts
    on {% for qi in quasi_identifiers %}grouped.{{ qi | ident }} = population_counts.{{ qi | ident }}{{ "\n    and " if not loop.last }}{% endfor +%}
{% endif %}
