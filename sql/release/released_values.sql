-- builds: released_values
-- reads: class_results, labels_<column> (perhaps combinations, region_assignments, levels_<column>)
-- one row: quasi-identifier, by its number, level and label, with its rows and its released rows
{% from "dataset/lookups.jinja" import same_keys %}
with released as (
    select
        {% for part in parts %}
        {% if not regional %}
        combinations.{{ part.key | ident }} as _code_{{ loop.index }},
        {% elif part.level == part.least %}
        region_assignments.{{ part.name | ident }} as _code_{{ loop.index }},
        {% else %}
        places_{{ loop.index }}._code as _code_{{ loop.index }},
        {% endif %}
        {% endfor %}
        {{ "region_assignments" if regional else "combinations" }}._rows
    {% if regional %}
    from region_assignments
    join class_results
        on region_assignments._class_number = class_results._class_number
    {% for part in parts if part.level != part.least %}
    join (
        select distinct
            level_{{ part.least }} as _least,
            level_{{ part.level }} as _code
        from {{ ("levels_" ~ part.name) | ident }}
    ) as places_{{ parts.index(part) + 1 }}
        on region_assignments.{{ part.name | ident }} = places_{{ parts.index(part) + 1 }}._least
    {% endfor %}
    {% else %}
    from combinations
    join class_results
        on {{ same_keys(keys, "combinations", "class_results") | indent }}
    {% endif %}
    where not class_results._fails
),

counted as (
    select
        case
            {% for part in parts %}
            when grouping(_code_{{ loop.index }}) = 0 then {{ loop.index }}
            {% endfor %}
        end as _part,
        coalesce({% for part in parts %}cast(_code_{{ loop.index }} as bigint){{ ", " if not loop.last }}{% endfor %}) as _code,
        cast(sum(_rows) as bigint) as _released
    from released
    group by grouping sets (
        {%- for part in parts %}(_code_{{ loop.index }}){{ ", " if not loop.last }}{% endfor -%}
    )
)

{% for part in parts %}
select
    {{ part.number }} as _attribute,
    {{ part.level }} as _level,
    labels.label as _label,
    labels._rows,
    coalesce(counted._released, 0) as _released
from {{ ("labels_" ~ part.name) | ident }} as labels
left join counted
    on counted._part = {{ loop.index }}
    and counted._code = labels.code
where labels.level = {{ part.level }}
    and labels._rows > 0
{% if not loop.last %}
union all
{% endif %}
{% endfor %}
