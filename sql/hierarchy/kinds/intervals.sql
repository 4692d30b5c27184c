-- builds: lookup_<column>
-- reads: values_<column>
-- one row: value of the data: its text, the interval that holds it on each level, and the interval's number
{% import "hierarchy/cycles.jinja" as cycles %}
{% set unit, places = grid.scale.unit, grid.scale.places %}
{% set below, above = grid.coded %}
{% macro shown(step) -%}
{% if unit == "day" -%}
cast(date '1970-01-01' + cast({{ step }} as integer) as varchar)
{%- elif unit == "microsecond" -%}
cast(make_timestamp(cast({{ step }} as bigint)) as varchar)
{%- elif places -%}
regexp_replace(cast(cast({{ step }} as decimal(28, 0)) * {{ "0.%0*d" | format(places, 1) }} as varchar), '(\.\d+?)0+$', '\1')
{%- else -%}
cast({{ step }} as varchar)
{%- endif %}
{%- endmacro %}
{% macro begin(level, end, clip) -%}
{% set part = "part_%d" % level if end == "low" else "(part_%d + 1)" % level -%}
{% set first = cycles.start(grid.cycles[0], part if level == 1 else "%s_%d_1" % (end, level)) ~ (" + %d" % grid.begin if grid.begin else "") -%}
{% set last = grid.parts(level)[0 if end == "low" else 1] -%}
{{ first if last is none or clip is none else "case when part_%d = %d then %d else %s end" % (level, last, clip, first) }}
{%- endmacro %}
{% macro name_of(level, cycle, name, place) -%}
{% set low, high = "low_text_%d" % level, "high_text_%d" % level -%}
{% if name is string -%}
{{ cycles.numbered(cycle, name, place, "part_%d" % level, grid.parts(level)[0]) if number_labels else name | literal }}
{%- elif name.name == "set" -%}
'{' || {{ low }} || ', ' || {{ high }} || '}'
{%- elif name.name == "prefix" -%}
left({{ low }}, {{ name.length }}) || '-' || left({{ high }}, {{ name.length }})
{%- elif name.name == "common-prefix" -%}
{{ cycles.common_prefix(low, high, "greatest(length(%s), length(%s))" % (low, high), name.fill) }}
{%- elif name.name == "bounds" and whole -%}
'[' || {{ low }} || ', ' || {{ shown("(high_%d - 1)" % level) }} || ']'
{%- else -%}
'[' || {{ low }} || ', ' || {{ high }} || ')'
{%- endif %}
{%- endmacro %}
{% macro label(level, cycle) -%}
{% set first, last = grid.parts(level) -%}
{% set whens = [] -%}
{% if below or above %}{% set _ = whens.append("when coded is not null then coded") %}{% endif -%}
{% for place in range(cycle.size) if cycle.names[place] is string and cycle.size > 1 -%}
{% set _ = whens.append("when %s = %d then %s" % (cycles.place("part_%d" % level, cycle.size), place, name_of(level, cycle, cycle.names[place], place))) -%}
{% endfor -%}
{% if cycle.size > 1 or cycle.names[0] is not string -%}
{% set open_below, open_above = first is not none and grid.snap[0] is none, last is not none and grid.snap[1] is none -%}
{% if open_below and open_above and first == last %}{% set _ = whens.append("when part_%d = %d then %s" % (level, first, top | literal)) %}{% endif -%}
{% if open_below %}{% set _ = whens.append("when part_%d = %d then '<' || high_text_%d" % (level, first, level)) %}{% endif -%}
{% if open_above %}{% set _ = whens.append("when part_%d = %d then '>=' || low_text_%d" % (level, last, level)) %}{% endif -%}
{% endif -%}
{% for place in range(cycle.size - 1) if cycle.names[place] is not string and cycle.names[place] != cycle.names[-1] -%}
{% set _ = whens.append("when %s = %d then %s" % (cycles.place("part_%d" % level, cycle.size), place, name_of(level, cycle, cycle.names[place], place))) -%}
{% endfor -%}
{% set rest = name_of(level, cycle, cycle.names[-1], cycle.size - 1) -%}
{% if whens -%}
case
            {{ whens | join("\n            ") }}
            else {{ rest }}
        end
{%- else -%}
{{ rest }}
{%- endif %}
{%- endmacro %}
with steps as (
    select
        text,
        {% if unit == "day" %}
        datediff('day', date '1970-01-01', try_cast({{ read }} as date)) as step
        {% elif unit == "microsecond" %}
        epoch_us(try_cast({{ read }} as timestamp)) as step
        {% elif is_whole_number %}
        cast(value as hugeint){{ " * %d" % 10 ** places if places }} as step
        {% else %}
        try_cast(text as decimal(38, 18)) as number,
        cast(floor(number) as hugeint){% if places %} * {{ 10 ** places }} + cast(floor((number - floor(number)) * {{ 10 ** places }}) as hugeint){% endif %} as step
        {% endif %}
    from {{ ("values_" ~ column) | ident }}
    where value is not null
        and not missing
        {% if unit != "number" %}
        and isfinite(try_cast({{ read }} as timestamp))
        {% endif %}
),

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
        {% if grid.label[0] is not none %}
        and step >= {{ grid.label[0] }}
        {% endif %}
        {% if grid.label[1] is not none %}
        and step < {{ grid.label[1] }}
        {% endif %}
),

parts as (
    select
        text,
        {% if below or above %}
        coded,
        {% endif %}
        {% for cycle in grid.cycles %}
        {{ cycles.part(cycle, "position" if loop.first else "part_%d" % loop.index0, "part_%d" % loop.index) }}{{ "," if not loop.last }}
        {% endfor %}
    from placed
),

bounds as (
    select
        {% for cycle in grid.cycles %}
        {% set level = loop.index %}
        {% for end in ("low", "high") if cycle.needs_bounds %}
        {% for inner in range(level, 1, -1) %}
        {{ cycles.start(grid.cycles[inner - 1], ("part_%d" if end == "low" else "(part_%d + 1)") % level if inner == level else "%s_%d_%d" % (end, level, inner)) }} as {{ end }}_{{ level }}_{{ inner - 1 }},
        {% endfor %}
        {{ begin(level, end, grid.snap[loop.index0]) }} as {{ end }}_{{ level }},
        {{ shown("%s_%d" % (end, level)) }} as {{ end }}_text_{{ level }},
        {% endfor %}
        {% endfor %}
        *
    from parts
),

final as (
    select
        text as value,
        text as level_0,
        {% for cycle in grid.cycles %}
        {{ label(loop.index, cycle) }} as level_{{ loop.index }},
        {% endfor %}
        {{ top | literal }} as level_{{ grid.cycles | length + 1 }},
        {% for cycle in grid.cycles %}
        {{ "coalesce(coded, cast(part_%d as varchar))" % loop.index if below or above else "part_%d" % loop.index }} as group_{{ loop.index }}{{ "," if not loop.last }}
        {% endfor %}
    from bounds
)

select * from final
