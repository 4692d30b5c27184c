-- builds: disclosed_sizes
-- reads: released_sample, levels_<column>
-- one row: the rows in classes of fewer than k records or persons, or in split classes, for an adversary who sees a finer label of a quasi-identifier too
with sizes as (
    select
        count(*) as _rows,
        count(*) as _size,
        sum(count(*)) over (
            partition by
                released_sample._shown_0,
                released_sample._shown_1,
                released_sample._shown_2
        ) as _class_rows
    from released_sample
    join "levels_age" as levels
        on released_sample._code_0 = levels.code
    group by
        released_sample._shown_0,
        released_sample._shown_1,
        released_sample._shown_2,
        levels.level_0
)

select cast(coalesce(sum(_rows), 0) as bigint)
from sizes
where _rows < _class_rows
