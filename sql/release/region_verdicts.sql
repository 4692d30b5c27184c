-- builds: verdicts
-- reads: placements (perhaps cell_entities, class_values_<column>, shares_<column>, decided_entropies)
-- one row: class of the chosen node, as label codes, with its rows and whether it fails
with classes as (
    select
        _class_number,
        {% if own_k %}
        max(_k) as _k,
        {% endif %}
        {% if population %}
        cast(sum(_population) as bigint) as _population,
        {% endif %}
        {% if persons %}
        cast(sum(_persons) as bigint) as _persons,
        {% endif %}
        cast(sum(_rows) as bigint) as _rows
    from {% if persons %}(
        select * exclude (_cell)
        from placements
        union all by name
        select
            placements._class_number,
            count(distinct seen._entity) + max(case when seen._entity is null then 1 else 0 end) as _persons,
            0 as _rows
        from placements
        join cell_entities as seen
            on placements._cell = seen._cell
        group by placements._class_number
    ) as placements
    {%- else %}placements
    {%- endif +%}
    group by _class_number
    having sum(_rows) > 0
),

verdicts as (
{% include verdicts_template +%}
)

select * from verdicts
