-- builds: differences
-- reads: histories, the register
-- one row: class of either release of which the other release shows all but a few records, with these few, if they are fewer than k
{% set shown_by_both = "least(_rows, _rows_%d)" % number if is_changed else "_rows" %}
with current_shown as (
    select
        _class,
        sum(_rows) as _rows,
        sum(case when _class_{{ number }} is not null then {{ shown_by_both }} else 0 end) as _shown_by_both
    from histories
    where _class is not null
    group by _class
),

earlier_shown as (
    select
        _class_{{ number }} as _class,
        sum(case when _class is not null then {{ shown_by_both }} else 0 end) as _shown_by_both
    from histories
    where _class_{{ number }} is not null
    group by _class_{{ number }}
),

earlier_classes as (
    select
        _class,
        sum(_rows) as _rows
    from {{ register | ident }}.main.value_sets_{{ number }}
    where _class is not null
    group by _class
),

few as (
    select
        _class,
        null as _earlier_class,
        cast(_rows - _shown_by_both as bigint) as _size
    from current_shown
    union all
    select
        null as _class,
        earlier_classes._class as _earlier_class,
        cast(earlier_classes._rows - coalesce(earlier_shown._shown_by_both, 0) as bigint) as _size
    from earlier_classes
    left join earlier_shown
        on earlier_classes._class = earlier_shown._class
)

select
    {{ number }} as _number,
    few.*
from few
where _size > 0
    and _size < {{ k }}
