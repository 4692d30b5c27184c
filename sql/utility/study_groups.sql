-- builds: study_groups
-- reads: study_before or study_after (perhaps recoding_<column>)
-- one row: value or released label of a quasi-identifier, with its rows that show the outcome, and the sum of the outcome; the most frequent only
with groups as (
    select
        {{ label }} as _group,
        sum(_filled_{{ outcome }}) as _rows,
        sum(_sum_{{ outcome }}) as _sum
    from {{ relation }}
    {{ "left join %s as recoding\n        on _label_%d = cast(recoding.value as varchar)" % (("recoding_" ~ column) | ident, number) if is_recoded }}
    group by _group
)

select
    _group,
    cast(_rows as bigint) as _rows,
    _sum
from groups
where
    _group is not null
    and _rows > 0
order by
    _rows desc,
    _group
limit {{ most }}
