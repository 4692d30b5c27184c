-- builds: differences
-- reads: histories, the register
-- one row: class of either release of which the other release shows all but a few records, or persons, with these few, if they are fewer than k
{% set shown = "least(_rows, _rows_%d)" % number if is_changed else "_rows" %}
{% macro shown_by(other) -%}
{{ "count(distinct case when %s is not null then _person end)" % other if of_persons else "sum(case when %s is not null then %s else 0 end)" % (other, shown) }}
{%- endmacro %}
with current_shown as (
    select
        _class,
        {{ "count(distinct _person)" if of_persons else "sum(_rows)" }} as _records,
        {{ shown_by("_class_%d" % number) }} as _shown_by_both
    from histories
    where _class is not null
    group by _class
),

earlier_shown as (
    select
        _class_{{ number }} as _class,
        {{ shown_by("_class") }} as _shown_by_both
    from histories
    where _class_{{ number }} is not null
    group by _class_{{ number }}
),

earlier_classes as (
    select
        _class,
        {{ "count(*)" if of_persons else "sum(_rows)" }} as _records
    from {{ register | ident }}.main.{{ "persons" if of_persons else "value_sets" }}_{{ number }}
    where _class is not null
    group by _class
),

few as (
    select
        _class,
        null as _earlier_class,
        cast(_records - _shown_by_both as bigint) as _size
    from current_shown
    union all
    select
        null as _class,
        earlier_classes._class as _earlier_class,
        cast(earlier_classes._records - coalesce(earlier_shown._shown_by_both, 0) as bigint) as _size
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
