-- builds: shown_labels
-- reads: class_results (perhaps combinations, region_assignments, regions)
-- one row: quasi-identifier, a value of it and the label that it has, with its rows, and those that are released
{% from "dataset/lookups.jinja" import same_keys %}
with cells as (
    select
        unnest({{ attributes | map(attribute="number") | list }}) as _attribute,
        unnest([{% for attribute in attributes %}sets.{{ attribute.value | ident }}{{ ", " if not loop.last }}{% endfor %}]) as _value,
        unnest([{% for attribute in attributes %}cast({{ attribute.label }} as varchar){{ ", " if not loop.last }}{% endfor %}]) as _label,
        class_results._fails,
        sets._rows
    from {{ "region_assignments" if regional else "combinations" }} as sets
    join class_results
        on {{ same_keys(class_keys, "sets", "class_results") }}
    {% if regional %}
    join regions
        on sets._region = regions._region
    {% endif %}
    where sets._rows > 0
)

select
    _attribute,
    _value,
    _label,
    cast(sum(_rows) as bigint) as _rows,
    cast(coalesce(sum(_rows) filter (where not _fails), 0) as bigint) as _released
from cells
group by
    _attribute,
    _value,
    _label
