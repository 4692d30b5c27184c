-- builds: worst_class
-- reads: release (perhaps records)
-- one row: value of a sensitive column, with its share of all records and its share of the class whose shares differ most; an interval of numbers is given by its position
{% from "privacy/same_class.jinja" import same_class %}
with cells as (
    select
        {{ quasi_identifiers | idents }},
        {% if width %}
        -- least() ignores NULL; missing, infinite and undefined values stay as they are
        case
            when cast({{ column | ident }} as double) > cast('-infinity' as double) and cast({{ column | ident }} as double) < cast('infinity' as double)
                then greatest(least(floor((cast({{ column | ident }} as double) - {{ start | literal }}) / cast({{ width | literal }} as double)), {{ bins - 1 }}), 0)
            else cast({{ column | ident }} as double)
        end as _value
        {% else %}
        {{ column | ident }} as _value
        {% endif %}
    from {{ relation }}
),

counts as (
    select
        {{ quasi_identifiers | idents }},
        _value,
        count(*) as _rows
    from cells
    group by
        {{ quasi_identifiers | idents }},
        _value
),

shares as (
    select
        {{ quasi_identifiers | idents }},
        _value,
        sum(_rows) over (partition by {{ quasi_identifiers | idents }}) as _class_rows,
        cast(_rows as double) / sum(_rows) over (partition by {{ quasi_identifiers | idents }}) as _share,
        cast(sum(_rows) over (partition by _value) as double) / sum(_rows) over () as _overall
    from counts
),

distances as (
    select
        {{ quasi_identifiers | idents }},
        _class_rows,
        max(_share) as _largest,
        max(case when _value is not null then _share end) as _largest_of_values,
        sum(greatest(_share - _overall, 0)) as _distance
    from shares
    group by
        {{ quasi_identifiers | idents }},
        _class_rows
),

ranked as (
    select
        *,
        max(_largest) over () as _most,
        coalesce(max(_largest_of_values) over (), 0) as _most_of_values,
        row_number() over (order by _distance desc, _class_rows desc, {{ quasi_identifiers | idents }}) as place
    from distances
)

select
    shares._value,
    max(shares._overall) as share,
    coalesce(max(shares._share) filter (where {{ same_class(quasi_identifiers, "shares", "ranked") | indent(8) }}), 0) as worst_share,
    max(ranked._class_rows) as worst_rows,
    max(ranked._distance) as distance,
    max(ranked._most) as largest_share,
    max(ranked._most_of_values) < max(ranked._most) as largest_is_missing
from shares
cross join ranked
where ranked.place = 1
group by shares._value
