-- builds: changes
-- reads: histories, the register
-- one row: the source: its records added and removed since the earlier release was registered
with matched as (
    select
        sum(_rows) as _now,
        any_value(_rows_{{ number }}) as _then
    from histories
    group by
        {{ columns | idents }}
)

select
    cast(coalesce(sum(greatest(0, _now - coalesce(_then, 0))), 0) as bigint) as _added,
    cast((
        select sum(_rows)
        from {{ register | ident }}.main.value_sets_{{ number }}
    ) {%- if has_withheld %} + (
        select coalesce(sum(_rows), 0)
        from {{ register | ident }}.main.withheld_{{ number }}
    ) {%- endif %} - coalesce(sum(least(_now, coalesce(_then, 0))), 0) as bigint) as _removed
from matched
