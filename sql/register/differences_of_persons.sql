-- builds: differences
-- reads: histories, the register
-- one row: class of either release of which the other release shows all but a few persons, with these few, if they are fewer than k
with earlier_shown as (
    select
        _class_{{ number }} as _class,
        count(distinct _person) as _shown_by_both
    from histories
    where _class_{{ number }} is not null
        and _class is not null
    group by _class_{{ number }}
),

earlier_classes as (
    select
        _class,
        count(*) as _persons
    from {{ register | ident }}.main.persons_{{ number }}
    where _class is not null
    group by _class
),

few as (
    select
        _class,
        null as _earlier_class,
        count(distinct _person) as _size
    from histories
    where _class is not null
        and _class_{{ number }} is null
    group by _class
    union all
    select
        null as _class,
        earlier_classes._class as _earlier_class,
        earlier_classes._persons - coalesce(earlier_shown._shown_by_both, 0) as _size
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
