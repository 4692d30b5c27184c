-- builds: histogram_at
-- reads: sensitive_<column> (perhaps sensitive_entities_<column>)
-- one row: equivalence class of a node and sensitive value in it, as codes, with its rows, or the persons who have it
{% set parts = keys | map("ident") | join(",\n    ") %}
select
    {{ parts }},
    _value,
    cast(sum(_value_rows) as bigint) as _value_rows
{% if persons %}
from (
    select
        {{ parts }},
        _value,
        _value_rows
    from {{ sensitive.relation | ident }}
    union all
    select
        {{ parts }},
        _value,
        count(distinct _entity) + max(case when _entity is null then 1 else 0 end) as _value_rows
    from {{ sensitive.entities | ident }}
    group by
        {{ parts }},
        _value
) as seen
{% else %}
from {{ sensitive.relation | ident }}
{% endif %}
group by
    {{ parts }},
    _value
