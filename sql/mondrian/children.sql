-- builds: partitions
-- reads: cuts, places, sides (perhaps side_losses, cell_entities, side_values_<column>, distribution_<column>, entropy_comparisons)
-- one row: Mondrian partition: its parent, the attribute and the place of the cut, with its rows
with {% include "privacy/class_results.jinja" +%},

allowed as (
    select
        class_results._partition,
        class_results._rank,
        class_results._variant,
        row_number() over (
            partition by class_results._partition
            order by {{ "any_value(side_losses.gain) desc, " if by_gain }}class_results._rank, class_results._variant
        ) as place
    from class_results
    {% if by_gain %}
    join side_losses
        on class_results._partition = side_losses._partition
        and class_results._rank = side_losses._rank
        and class_results._variant = side_losses._variant
    {% endif %}
    group by
        class_results._partition,
        class_results._rank,
        class_results._variant
    having count(*) > 1 and not bool_or(_fails)
)

select
    {{ last_partition }} + row_number() over (order by class_results._partition, class_results._side) as _partition,
    class_results._partition as _parent,
    {{ round }} as _round,
    case cuts._attribute
        {% for attribute in attributes %}
        when {{ attribute.number }} then {{ attribute.name | literal }}
        {% endfor %}
    end as _attribute,
    case
        when cuts._first is null or class_results._side = 0 then cuts._cut
        else case cuts._cut when '<=' then '>' when '<' then '>=' when 'is' then 'is not' else 'is missing' end
    end as _cut,
    case when cuts._cut <> 'is not missing' then places.label end as _value,
    cuts._level - 1 as _level,
    coalesce(cuts._first, class_results._side) as _low,
    coalesce(cuts._last, places.high) as _high,
    cuts._first is not null and class_results._side = 1 as _is_rest,
    class_results._rows
from allowed
join class_results
    on allowed._partition = class_results._partition
    and allowed._rank = class_results._rank
    and allowed._variant = class_results._variant
join cuts
    on allowed._partition = cuts._partition
    and allowed._rank = cuts._rank
    and allowed._variant = cuts._variant
left join places
    on cuts._attribute = places._attribute
    and coalesce(cuts._level - 1, 0) = places.level
    and coalesce(cuts._median, class_results._side) = places.position
where allowed.place = 1
