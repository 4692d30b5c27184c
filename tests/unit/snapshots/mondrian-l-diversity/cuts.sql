-- builds: cuts
-- reads: candidates, partitions (perhaps cells)
-- one row: possible cut of an uncut partition: into the positions of a range and the rest, or into the branches of a level
with tried as (
    select *
    from candidates
    where _rank between 1 and 3
        and not exists (
            select 1
            from partitions
            where partitions._parent = candidates._partition
        )
),

located as (
    select
        tried._partition,
        tried._rank,
        case tried._attribute
            when 1 then cells."age"
        end as position,
        case tried._attribute
            when 1 then 7
        end as placed,
        cells._rows
    from tried
    join cells
        on tried._partition = cells._partition
    where tried._level is null
),

reached as (
    select
        _partition,
        _rank,
        position,
        placed,
        sum(sum(_rows)) over (partition by _partition, _rank order by position) as reach,
        sum(sum(_rows)) over (partition by _partition, _rank) as total
    from located
    where position < placed
    group by _partition, _rank, position, placed
),

medians as (
    select
        _partition,
        _rank,
        placed,
        min(position) filter (where 2 * reach >= total) as median
    from reached
    group by all
),

final as (
    select
        tried.*,
        ways._variant,
        ways._cut,
        medians.median as _median,
        0 as _first,
        case ways._variant
            when 0 then medians.placed - 1
            when 1 then medians.median
            else medians.median - 1
        end as _last
    from tried
    join medians
        on tried._partition = medians._partition
        and tried._rank = medians._rank
    join (
        values (0, 'is not missing'), (1, '<='), (2, '<')
    ) as ways(_variant, _cut)
        on ways._variant > 0 or tried._is_mixed
    union all
    select
        *,
        0 as _variant,
        'is' as _cut,
        null as _median,
        null as _first,
        null as _last
    from tried
    where _level is not null
)

select * from final
