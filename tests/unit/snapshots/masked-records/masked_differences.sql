-- builds: masked_differences
-- reads: written_classes, expected_classes, recoding_<column> (perhaps ranges_<column>, expected_histogram_<column>, reference_<column>, decided_entropies)
-- one row: class, or all masked records, that differs between the written file and the source, and whether the cells of its rows are equal
with verdicts as (
-- builds: verdicts
-- reads: classes (perhaps histogram, shares_<column>, decided_entropies)
-- one row: class, which fails if it fails a model, or if it joins the failing classes because these do not satisfy the requirement as one class
with judged as (
-- builds: judged
-- reads: classes (perhaps histogram, shares_<column>, decided_entropies)
-- one row: class, with what it achieves under each model, and whether it fails one of them
with
judged_1 as (
-- builds: judged
-- reads: classes
-- one row: class, which fails if it has fewer than k rows, or persons, or fewer rows than the k of one of its records (Samarati 2001, Sweeney 2002)
select
    *,
    _rows as _achieved_1,
    _rows < 3 as _fails_1
from expected_classes
)

select
    *,
    _fails_1 as _fails
from judged_1
),

ordered as (
    select
        *,
        row_number() over (order by _fails desc, _rows, "age", "sex", "town") as _star
    from judged
),

needed as (
    select
        count(*) as classes,
        count(*) filter (where _fails) as failing,
        sum(_rows) as _rows
    from ordered
),

stars as (
    select
        ordered._star,
        cast(sum(ordered._rows) over by_star as bigint) as _rows
    from ordered
    window by_star as (order by ordered._star)
),

candidates_near as (
    select stars.*
    from stars
    cross join needed
    where stars._star >= greatest(1, needed.failing)
        and stars._star between greatest(1, needed.failing) and greatest(1, needed.failing) + 15
        and needed.failing > 0
),

judged_near as (
    with ends as (
        select
            min(_star) as _first,
            max(_star) as _last
        from candidates_near
    )

    select *
    from (
-- builds: judged
-- reads: classes (perhaps histogram, shares_<column>, decided_entropies)
-- one row: class, with what it achieves under each model, and whether it fails one of them
with
judged_1 as (
-- builds: judged
-- reads: classes
-- one row: class, which fails if it has fewer than k rows, or persons, or fewer rows than the k of one of its records (Samarati 2001, Sweeney 2002)
select
    *,
    _rows as _achieved_1,
    _rows < 3 as _fails_1
from candidates_near
)

select
    *,
    _fails_1 as _fails
from judged_1
    ) as judged
),

enough_near as (
    select judged._star
    from judged_near as judged
    where not judged._fails
),

candidates_far as (
    select stars.*
    from stars
    cross join needed
    where stars._star >= greatest(1, needed.failing)
        and stars._star not between greatest(1, needed.failing) and greatest(1, needed.failing) + 15
        and needed.failing > 0
        and not exists (select 1 from enough_near)
),

judged_far as (
    with ends as (
        select
            min(_star) as _first,
            max(_star) as _last
        from candidates_far
    )

    select *
    from (
-- builds: judged
-- reads: classes (perhaps histogram, shares_<column>, decided_entropies)
-- one row: class, with what it achieves under each model, and whether it fails one of them
with
judged_1 as (
-- builds: judged
-- reads: classes
-- one row: class, which fails if it has fewer than k rows, or persons, or fewer rows than the k of one of its records (Samarati 2001, Sweeney 2002)
select
    *,
    _rows as _achieved_1,
    _rows < 3 as _fails_1
from candidates_far
)

select
    *,
    _fails_1 as _fails
from judged_1
    ) as judged
),

enough_far as (
    select judged._star
    from judged_far as judged
    where not judged._fails
),

enough as (
    select coalesce(min(passing._star), max(needed.classes)) as _star
    from needed
    left join (
        select _star
        from enough_near
        union all
        select _star
        from enough_far
    ) as passing
        on true
),

final as (
    select
        ordered.* exclude (_star, _fails),
        needed.failing > 0 and ordered._star <= enough._star as _fails,
        needed.failing > 0 and ordered._star <= enough._star and not ordered._fails as _joins
    from ordered
    cross join needed
    cross join enough
)

select * from final
),

expected as (
    select
        case when verdicts._fails then (select max(top) from "recoding_age") else verdicts."age" end as "age",
        case when verdicts._fails then (select max(top) from "recoding_sex") else verdicts."sex" end as "sex",
        case when verdicts._fails then (select max(top) from "recoding_town") else verdicts."town" end as "town",
        sum(case when _fails then _masked_sum_1 else _sum_1 end) as _sum_1,
        sum(case when _fails then _masked_salted_sum_1 else _salted_sum_1 end) as _salted_sum_1,
        cast(sum(_rows) as bigint) as _rows
    from verdicts
    group by all
)

select
    written_classes._rows as written_rows,
    expected._rows as expected_rows,
    written_classes._sum_1 is not distinct from expected._sum_1 as same_sum_1,
    written_classes._salted_sum_1 is not distinct from expected._salted_sum_1 as same_salted_sum_1
from written_classes
full outer join expected
    on written_classes."age" is not distinct from expected."age"
    and written_classes."sex" is not distinct from expected."sex"
    and written_classes."town" is not distinct from expected."town"
where written_classes._rows is distinct from expected._rows
    or written_classes._sum_1 is distinct from expected._sum_1
    or written_classes._salted_sum_1 is distinct from expected._salted_sum_1
