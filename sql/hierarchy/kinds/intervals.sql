-- builds: lookup_<column>
-- reads: values_<column>
-- one row: value of the data: its text, and on each level the interval that contains it, with the number of the interval
{% from "dataset/numbers.jinja" import is_missing_token with context %}
{% import "hierarchy/cycles.jinja" as cycles %}
{% set unit, places = grid.scale.unit, grid.scale.places %}
{% set below, above = grid.coded %}
{% set height = grid.cycles | length %}
{% from "hierarchy/intervals.jinja" import end_of, label, shown with context %}
{% if unit == "number" and step is none %}
with numbers as (
    select
        text,
        try_cast(text as double) as approximately,
        regexp_replace(text, '(\.\d{18})\d+$', '\1') as digits,
        try_cast(digits as decimal(38, 18)) as number
    from {{ ("values_" ~ column) | ident }}
    where value is not null
        and not missing
),

floored as (
    select
        text,
        approximately,
        case
            when cast(number as double) > approximately or (number <= 0 and text like '-%' and regexp_matches(text, '\.\d{18}0*[1-9]'))
                then number - cast(0.000000000000000001 as decimal(38, 18))
            else number
        end as number
    from numbers
),

steps as (
    select
        text,
        {% set exactly = "cast(floor(number) as hugeint)" %}
        {% if places %}
        {% set exactly = "%s * %d + cast(floor((number - floor(number)) * %d) as hugeint)" % (exactly, 10 ** places, 10 ** places) %}
        {% endif %}
        {% if grid.repeat[0] is none and grid.repeat[1] is none %}
        {{ exactly }} as step
        {% else %}
        case
            when number is not null then {{ exactly }}
            {% if grid.repeat[0] is not none %}
            when approximately < -1e19 and isfinite(approximately) then {{ (grid.label[0] if grid.label[0] is not none else -beyond) - 1 }}
            {% endif %}
            {% if grid.repeat[1] is not none %}
            when approximately > 1e19 and isfinite(approximately) then {{ beyond }}
            {% endif %}
        end as step
        {% endif %}
    from floored
),
{% else %}
with steps as (
    select
        text,
        {% if unit == "day" %}
        datediff('day', date '1970-01-01', try_cast({{ read }} as date)) as step
        {% elif unit == "microsecond" %}
        epoch_us(try_cast({{ read }} as timestamp)) as step
        {% else %}
        {{ step }} as step
        {% endif %}
    from {{ ("values_" ~ column) | ident }}
    where value is not null
        and not missing
        {% if unit != "number" %}
        and isfinite(try_cast({{ read }} as timestamp))
        {% endif %}
),
{% endif %}

placed as (
    select
        text,
        {% if below or above %}
        case{% if below %} when step < {{ grid.snap[0] }} then {{ below | literal }}{% endif %}{% if above %} when step >= {{ grid.snap[1] }} then {{ above | literal }}{% endif %} end as coded,
        {% endif %}
        {% set inside = "step" if grid.repeat[0] is none else "greatest(step, %d)" % grid.repeat[0] %}
        {% set inside = inside if grid.repeat[1] is none else "least(%s, %d)" % (inside, grid.repeat[1] - 1) %}
        {{ inside }}{{ " - %d" % grid.begin if grid.begin }} as position
    from steps
    where step is not null
        {% if may_exceed %}
        and {{ inside }} between {{ -beyond }} and {{ beyond }}
        {% endif %}
        {% if grid.label[0] is not none %}
        and step >= {{ grid.label[0] }}
        {% endif %}
        {% if grid.label[1] is not none %}
        and step < {{ grid.label[1] }}
        {% endif %}
),

{{ cycles.parts(grid.cycles, "placed") | trim }}
{% for inner in range(height, 0, -1) %}
{% set cycle, before = grid.cycles[inner - 1], "parts_%d" % height if loop.first else "starts_%d" % (inner + 1) %}

starts_{{ inner }} as (
    select
        {% for column in (["text"] + (["coded"] if below or above else [])) %}
        {{ column }},
        {% endfor %}
        {% for level in range(1, height + 1) %}
        part_{{ level }},
        {% endfor %}
        {% for level in range(inner, height + 1) %}
        {{ cycles.start(cycle, "part_%d" % level if level == inner else "low_%d" % level) }} as low_{{ level }},
        {{ cycles.start(cycle, "(part_%d + 1)" % level if level == inner else "high_%d" % level) }} as high_{{ level }}{{ "," if not loop.last }}
        {% endfor %}
    from {{ before }}
),
{% endfor %}

bounds as (
    select
        {% for level in range(1, height + 1) if grid.cycles[level - 1].needs_bounds %}
        {{ shown("(%s)" % end_of(level, "low", 0)) }} as low_text_{{ level }},
        {{ shown("(%s)" % end_of(level, "high", 1)) }} as high_text_{{ level }},
        {% if whole %}
        {{ shown("(%s - 1)" % end_of(level, "high", 1)) }} as last_text_{{ level }},
        {% endif %}
        {% endfor %}
        *
    from starts_1
),

final as (
    select
        text as value,
        {{ "coalesce(coded, text)" if floor and (below or above) else "text" }} as level_0,
        {% for cycle in grid.cycles %}
        {{ label(loop.index, cycle) }} as level_{{ loop.index }},
        {% endfor %}
        {{ top | literal }} as level_{{ height + 1 }},
        {% for cycle in grid.cycles %}
        {{ "coalesce(coded, cast(part_%d as varchar))" % loop.index if below or above else "part_%d" % loop.index }} as group_{{ loop.index }}{{ "," if not loop.last }}
        {% endfor %}
    from bounds
    {% if missing_tokens %}
    union all
    select
        text as value,
        {% for level in range(height + 1) %}
        text as level_{{ level }},
        {% endfor %}
        {{ top | literal }} as level_{{ height + 1 }},
        {% for cycle in grid.cycles %}
        {{ "text" if below or above else "null" }} as group_{{ loop.index }}{{ "," if not loop.last }}
        {% endfor %}
    from {{ ("values_" ~ column) | ident }}
    where {{ is_missing_token("text") }}
        and not missing
    {% endif %}
)

select * from final
