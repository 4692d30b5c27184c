-- builds: histogram_at
-- reads: sensitive_<column>, sensitive_entities_<column>
-- one row: equivalence class of a node and sensitive value in it, as codes, with the persons who have it
select
    {{ keys | idents }},
    _value,
    cast(sum(_value_rows) as bigint) as _value_rows
from (
    select
        {{ keys | idents | indent }},
        _value,
        _value_rows
    from {{ sensitive.relation | ident }}
    union all
    select
        {{ keys | idents | indent }},
        _value,
        count(distinct _entity) + max(case when _entity is null then 1 else 0 end) as _value_rows
    from {{ sensitive.entities | ident }}
    group by
        {{ keys | idents | indent }},
        _value
) as seen
group by
    {{ keys | idents }},
    _value
