-- builds: partitions
-- reads: cuts, places, sides (perhaps cell_entities, side_values_<column>, distribution_<column>, entropy_comparisons)
-- one row: Mondrian partition: its parent, the attribute and the place of the cut, with its rows
with {% include "privacy/class_results.jinja" +%},

allowed as (
    select
        _partition,
        _rank,
        _variant,
        row_number() over (partition by _partition order by _rank, _variant) as place
    from class_results
    group by _partition, _rank, _variant
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
        when cuts._split is null or class_results._side = 0 then cuts._cut
        else case cuts._cut when '<=' then '>' when '<' then '>=' else 'is missing' end
    end as _cut,
    case when cuts._split is null or cuts._variant > 0 then places.label end as _value,
    cuts._level - 1 as _level,
    class_results._side as _low,
    case
        when cuts._split is null then places.high
        when class_results._side = 0 then cuts._split
        else 2147483647
    end as _high,
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
    and case when cuts._split is null then class_results._side else cuts._median end = places.position
where allowed.place = 1
