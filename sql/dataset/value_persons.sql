-- builds: value_persons_<column>
-- reads: records, values_<column>
-- one row: sensitive value, as a code, with the persons who have it, the persons with a value, and all persons
select
    present.code,
    count(distinct records.{{ entity | ident }}) + max(case when records.{{ entity | ident }} is null then 1 else 0 end) as _persons,
    (
        select count(distinct {{ entity | ident }}) + coalesce(max(case when {{ entity | ident }} is null then 1 else 0 end), 0)
        from records
        where {{ column | ident }} is not null
    ) as _known_persons,
    (
        select count(distinct {{ entity | ident }}) + max(case when {{ entity | ident }} is null then 1 else 0 end)
        from records
    ) as _all_persons
from records
join {{ ("values_" ~ column) | ident }} as present
    on records.{{ column | ident }} is not distinct from present.value
group by
    present.code
