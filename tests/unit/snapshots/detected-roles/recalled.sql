-- builds: recalled
-- reads: assigned, labels_<column>
-- one row: distinct set of quasi-identifier values, by its number, that moves to a node because its loss is larger elsewhere, or to complete a class
with large_classes as (
    select
        "least_0", "age_1", "town_0", "illness_0"
    from assigned
    group by
        "least_0", "age_1", "town_0", "illness_0"
    having sum(_rows) >= 3
),

offered as (
    select
        assigned._cell,
        assigned."least_0",
        assigned."age_1",
        assigned."town_0",
        assigned."illness_0",
        assigned._pass = 4 as is_own,
        assigned._place,
        assigned._cell_loss as assigned_loss,
cast(1.0 as double) * labels_1.loss + cast(1.3 as double) * labels_2.loss + cast(1.2 as double) * labels_3.loss + cast(1.4 as double) * labels_4.loss as loss,
        assigned._rows
    from assigned
    semi join large_classes
        on assigned."least_0" is not distinct from large_classes."least_0"
    and assigned."age_1" is not distinct from large_classes."age_1"
    and assigned."town_0" is not distinct from large_classes."town_0"
    and assigned."illness_0" is not distinct from large_classes."illness_0"
    join "labels_least" as labels_1
        on labels_1.level = 0
        and labels_1.code = assigned."least_0"
    join "labels_age" as labels_2
        on labels_2.level = 1
        and labels_2.code = assigned."age_1"
    join "labels_town" as labels_3
        on labels_3.level = 0
        and labels_3.code = assigned."town_0"
    join "labels_illness" as labels_4
        on labels_4.level = 0
        and labels_4.code = assigned."illness_0"
),

sizes as (
    select
        _place,
        sum(_rows) as size
    from assigned
    group by _place
),

shares as (
    select
        offered."least_0",
        offered."age_1",
        offered."town_0",
        offered."illness_0",
        offered._place,
        bool_or(offered.is_own) and max(sizes.size) >= 3 as is_own,
        case when max(sizes.size) < 3 then 4.9 else max(offered.assigned_loss) end as assigned_loss,
        max(offered.loss) as loss,
        sum(offered._rows) as _rows,
        max(sizes.size) as size
    from offered
    join sizes
        on offered._place = sizes._place
    group by
        offered."least_0",
        offered."age_1",
        offered."town_0",
        offered."illness_0",
        offered._place
),

gaining as (
    select
        *,
        _rows = size as is_whole,
        assigned_loss > loss + 1e-09 and not is_own as gains,
        row_number() over (
            partition by _place
            order by (assigned_loss > loss + 1e-09 and not is_own) desc, _rows * (assigned_loss - loss) desc, "least_0", "age_1", "town_0", "illness_0"
        ) as place
    from shares
),

chosen as (
    select
        * exclude (gains),
        gains and (is_whole or size < 3 or (place = 1 and size - _rows >= 3)) as gains
    from gaining
),

groups as (
    select
        "least_0", "age_1", "town_0", "illness_0",
        sum(_rows) filter (where gains) as gained,
        sum(_rows * (assigned_loss - loss)) filter (where gains) as saved,
        bool_or(is_own) as has_own,
        arg_min(_place, (_rows * (loss - assigned_loss), _place)) filter (where is_whole and size >= 3 and not gains and not is_own) as donor,
        min(_rows * (loss - assigned_loss)) filter (where is_whole and size >= 3 and not gains and not is_own) as price
    from chosen
    group by
        "least_0", "age_1", "town_0", "illness_0"
),

decided as (
    select
        *,
        not has_own and gained < 3 as needs_donor
    from groups
    where gained > 0
        and (has_own or gained >= 3 or price + 1e-09 < saved)
)

select offered._cell
from offered
join decided
    on offered."least_0" is not distinct from decided."least_0"
    and offered."age_1" is not distinct from decided."age_1"
    and offered."town_0" is not distinct from decided."town_0"
    and offered."illness_0" is not distinct from decided."illness_0"
join chosen
    on offered."least_0" is not distinct from chosen."least_0"
    and offered."age_1" is not distinct from chosen."age_1"
    and offered."town_0" is not distinct from chosen."town_0"
    and offered."illness_0" is not distinct from chosen."illness_0"
    and offered._place = chosen._place
where chosen.gains
    or (decided.needs_donor and offered._place = decided.donor)
