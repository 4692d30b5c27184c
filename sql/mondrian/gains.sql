-- builds: gains
-- reads: candidates, cells, places
-- one row: cut of a partition by an attribute: the one that saves most of the loss in this attribute for the information that it shows, and, as further variants, of those whose smaller side has twice the least rows, four times, ...
{% from "mondrian/range_loss.jinja" import range_loss %}
{# the information of a cut in two, of which one side has this share #}
{% macro bits(share) -%}
-({{ share }}) * log2({{ share }}) - (1 - {{ share }}) * log2(1 - {{ share }})
{%- endmacro %}
with present as (
    select
        cells._partition,
        unnest({{ attributes | map(attribute="number") | list }}) as _attribute,
        unnest([{{ attributes | map(attribute="name") | idents("cells") }}]) as position,
        cells._rows
    from cells
    semi join candidates
        on cells._partition = candidates._partition
),

counted as (
    select
        candidates.* exclude (_rank),
        present.position,
        cast(sum(present._rows) as bigint) as _rows
    from present
    join candidates
        on present._partition = candidates._partition
        and present._attribute = candidates._attribute
    group by all
),

ordered as (
    select
        counted._partition,
        counted._attribute,
        counted._weight,
        counted._placed as placed,
        counted._leaves_span as span,
        counted.position,
        sum(counted._rows) over upwards as reach,
        sum(counted._rows) over whole as total,
        min(counted.position) over whole as first,
        max(counted.position) over whole as last,
        lead(counted.position) over upwards as next,
        places.loss as own_loss,
        lead(places.loss) over upwards as next_loss,
        places.leaves,
        min(places.leaves) over whole as first_leaves,
        max(places.leaves) over whole as last_leaves,
        lead(places.leaves) over upwards as next_leaves
    from counted
    join places
        on counted._attribute = places._attribute
        and counted.position = places.position
    where counted._level is null
    window
        whole as (partition by counted._partition, counted._attribute),
        upwards as (partition by counted._partition, counted._attribute order by counted.position)
),

branches as (
    select
        counted._partition,
        counted._attribute,
        counted._weight,
        counted._level,
        counted._width as loss,
        places.label,
        places.low,
        places.high,
        places.loss as branch_loss,
        cast(sum(counted._rows) as bigint) as reach
    from counted
    join places
        on counted._attribute = places._attribute
        and counted._level - 1 = places.level
        and counted.position = places.position
    group by all
),

siblings as (
    select
        *,
        reach / sum(reach) over whole as share,
        sum(reach) over whole as total,
        count(*) over whole as branches
    from branches
    window whole as (partition by _partition, _attribute)
),

possible as (
    select
        _partition,
        _attribute,
        _weight,
        cast(null as integer) as _level,
        null as label,
        case when next >= placed then 'is not missing' else '<=' end as _cut,
        position as _median,
        0 as _first,
        case when next >= placed then placed - 1 else position end as _last,
        least(reach, total - reach) as smallest,
        {{ bits("reach / total") }} as _bits,
        total * {{ range_loss("first", "last", "first_leaves", "last_leaves", "own_loss", show_extremes) }}
        - reach * {{ range_loss("first", "position", "first_leaves", "leaves", "own_loss", show_extremes) }}
        - (total - reach) * {{ range_loss("next", "last", "next_leaves", "last_leaves", "next_loss", show_extremes) }} as saved
    from ordered
    where position < placed
        and next is not null
    union all
    select
        _partition,
        _attribute,
        _weight,
        _level,
        label,
        'is' as _cut,
        low as _median,
        low as _first,
        high as _last,
        least(reach, total - reach) as smallest,
        {{ bits("share") }} as _bits,
        reach * (loss - branch_loss) as saved
    from siblings
    where branches > 2
    union all
    select
        _partition,
        _attribute,
        any_value(_weight) as _weight,
        any_value(_level) as _level,
        null as label,
        'is' as _cut,
        null as _median,
        null as _first,
        null as _last,
        min(reach) as smallest,
        sum(-share * log2(share)) as _bits,
        sum(reach * (loss - branch_loss)) as saved
    from siblings
    group by
        _partition,
        _attribute
),

weighed as (
    select
        *,
        -- equal gains stay equal, however they were computed
        round(_weight * saved / _bits, 9) as gain
    from possible
    where smallest >= {{ least_rows }}
),

tried as (
    select
        weighed.*,
        doublings._variant,
        max(gain) over (partition by _partition, _attribute) as best_gain,
        row_number() over (partition by _partition, _attribute, doublings._variant order by gain desc, smallest desc, label, _last) as place
    from weighed
    join (
        values {% for doubling in range(doublings + 1) %}({{ doubling }}){{ ", " if not loop.last }}{% endfor +%}
    ) as doublings(_variant)
        on smallest >= {{ least_rows }} * power(2, doublings._variant)
)

select
    _partition,
    _attribute,
    _level,
    min(_variant) as _variant,
    _cut,
    _median,
    _first,
    _last,
    _bits,
    dense_rank() over (partition by _partition order by best_gain desc, _attribute) as _rank
from tried
where place = 1
group by
    _partition,
    _attribute,
    _level,
    _cut,
    _median,
    _first,
    _last,
    _bits,
    best_gain
