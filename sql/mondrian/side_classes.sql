-- builds: side_classes
-- reads: sides (perhaps cell_entities)
-- one row: way to cut a partition and side, as the class that it would be
select
    _partition,
    _rank,
    _variant,
    _side,
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
    from sides
    union all by name
    select
        sides._partition,
        sides._rank,
        sides._variant,
        sides._side,
        count(distinct seen._entity) + max(case when seen._entity is null then 1 else 0 end) as _persons,
        0 as _rows
    from sides
    join cell_entities as seen
        on sides._cell = seen._cell
    group by
        sides._partition,
        sides._rank,
        sides._variant,
        sides._side
) as sides
{%- else %}sides
{%- endif +%}
group by
    _partition,
    _rank,
    _variant,
    _side
having sum(_rows) > 0
