-- builds: ordered_codes_<column>
-- reads: values_<column>, levels_<column>, labels_<column> (perhaps hierarchy_<column>)
-- one row: label code that identifies cells, with its position in the order by which the column is cut
{% from "mondrian/place.jinja" import is_placed, place %}
{% set name = attribute.name %}
{% set own_place = place(attribute, "present.text") if attribute.by_text else "present.value" %}
with present as (
    select
        levels.level_0 as code,
        min({{ own_place }}) as place,
        {% if attribute.measure == "number" %}
        {% if attribute.is_exact %}
        min(cast(cast(present.value as {{ attribute.exact_type }}) - lowest.value as double)) as point,
        {% else %}
        min({{ "try_cast(present.text" if attribute.by_text else "cast(present.value" }} as double) * 0.5) as point,
        {% endif %}
        {% elif attribute.measure == "time" %}
        min(epoch({{ own_place }})) as point,
        {% endif %}
        bool_and(not present.missing and {{ is_placed(attribute, own_place) }}) as is_placed,
        cast(sum(present._rows) as bigint) as _rows
    from {{ ("values_" ~ name) | ident }} as present
    join {{ ("levels_" ~ name) | ident }} as levels
        on present.code = levels.code
    {% if attribute.measure == "number" and attribute.is_exact %}
    cross join (
        select min(cast(value as {{ attribute.exact_type }})) as value
        from {{ ("values_" ~ name) | ident }}
        where not missing
    ) as lowest
    {% endif %}
    group by levels.level_0
),

placed as (
    select
        *,
        row_number() over (order by is_placed desc, place nulls last, code) - 1 as position
    from present
),

leaves as (
    select
        code,
        place,
        is_placed
    from present
    {% if attribute.lists_leaves %}
    union all
    select
        null as code,
        {{ place(attribute, "hierarchy.value") }} as place,
        true as is_placed
    from {{ ("hierarchy_" ~ name) | ident }} as hierarchy
    where hierarchy.value is not null
        and not exists (
            select 1
            from {{ ("values_" ~ name) | ident }} as present
            where present.text = hierarchy.value
        )
    {% endif %}
),

counted as (
    select
        code,
        count(*) over (order by place) as leaves
    from leaves
    where is_placed and place is not null
),

final as (
    select
        placed.code,
        cast(placed.position as integer) as position,
        labels.label,
        labels.loss,
        placed.is_placed,
        placed.place,
        {{ "placed.point" if attribute.measure in ("number", "time") else "cast(placed.position as double) as point" }},
        coalesce(counted.leaves, 0) as leaves,
        placed._rows,
        cast(sum(placed._rows) over (order by placed.position) as bigint) as _cumulative_rows
    from placed
    join {{ ("labels_" ~ name) | ident }} as labels
        on labels.level = 0
        and labels.code = placed.code
    left join counted
        on counted.code = placed.code
)

select * from final
order by position
