-- builds: outside_ranges
-- reads: recoding_<column>, ranges_<column> (perhaps region_assignments, regions)
-- one row: source value and its label, whose range does not include the value
{% set ranges, recoding = ("ranges_" ~ name) | ident, ("recoding_" ~ name) | ident %}
with shown as (
    {% if regional %}
    select distinct
        {{ recoding }}.value,
        regions.{{ name | ident }} as label
    from region_assignments
    join regions
        on region_assignments._region = regions._region
    join {{ recoding }}
        on region_assignments.{{ name | ident }} = {{ recoding }}.code
    {% else %}
    select
        value,
        label
    from {{ recoding }}
    {% endif %}
)

select
    shown.value,
    shown.label
from shown
left join {{ ranges }}
    on shown.label is not distinct from {{ ranges }}.label
where {{ ranges }}._is_read is null
    or (shown.value is null and ({{ ranges }}._min is not null or {{ ranges }}._max is not null))
    or shown.value < {{ ranges }}._min
    or shown.value > {{ ranges }}._max
    or (shown.value = {{ ranges }}._max and not {{ ranges }}._includes_max)
