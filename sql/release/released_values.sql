-- builds: released_values
-- reads: verdicts, labels_<column> (perhaps combinations, placements, levels_<column>)
-- one row: quasi-identifier, by its number, level and label, with its rows and its released rows
{% from "dataset/lookups.jinja" import same_keys %}
with released as (
    select
        {% for part in parts %}
        {% if not regional %}
        combinations.{{ part.key | ident }} as _code_{{ loop.index }},
        {% elif part.level == part.least %}
        placements.{{ part.name | ident }} as _code_{{ loop.index }},
        {% else %}
        places_{{ loop.index }}._code as _code_{{ loop.index }},
        {% endif %}
        {% endfor %}
        {{ "placements" if regional else "combinations" }}._rows
    {% if regional %}
    from placements
    join verdicts
        on placements._class_number = verdicts._class_number
    {% for part in parts if part.level != part.least %}
    join (
        select distinct
            level_{{ part.least }} as _least,
            level_{{ part.level }} as _code
        from {{ ("levels_" ~ part.name) | ident }}
    ) as places_{{ parts.index(part) + 1 }}
        on placements.{{ part.name | ident }} = places_{{ parts.index(part) + 1 }}._least
    {% endfor %}
    {% else %}
    from combinations
    join verdicts
        on {{ same_keys(keys, "combinations", "verdicts") | indent }}
    {% endif %}
    where not verdicts._fails
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
