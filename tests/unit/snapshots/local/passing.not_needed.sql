-- builds: passing
-- reads: passing, remaining, needy
-- one row: class that a pass may release; of those that share records with a needy class, or with what an adversary sees as one with it, the larger half stays, or none
with shared as (
    select distinct
        remaining."age_3" as _pass_1,
        remaining."sex_0" as _pass_2,
        remaining."town_1" as _pass_3,
        needy."age_3" as _fallback_1,
        needy."sex_0" as _fallback_2,
        needy."town_2" as _fallback_3
    from remaining
    join needy
        on (remaining."age_3" is not distinct from needy."age_3"
    and remaining."sex_0" is not distinct from needy."sex_0"
    and remaining."town_2" is not distinct from needy."town_2")
),

needed as (
    select
        passing."age_3",
        passing."sex_0",
        passing."town_1",
        row_number() over (
            partition by shared._fallback_1, shared._fallback_2, shared._fallback_3
            order by passing._rows desc, passing."age_3", passing."sex_0", passing."town_1"
        ) as place,
        count(*) over (partition by shared._fallback_1, shared._fallback_2, shared._fallback_3) as places
    from passing
    join shared
        on passing."age_3" is not distinct from shared._pass_1
        and passing."sex_0" is not distinct from shared._pass_2
        and passing."town_1" is not distinct from shared._pass_3
)

select passing.*
from passing
where not exists (
    select 1
    from needed
    where passing."age_3" is not distinct from needed."age_3"
    and passing."sex_0" is not distinct from needed."sex_0"
    and passing."town_1" is not distinct from needed."town_1"
        and 2 * needed.place > needed.places
)
