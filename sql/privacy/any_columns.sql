-- builds: verdicts
-- reads: classes
-- one row: class, which fails if fewer than k of the records that are left share some set of columns with it: failing classes leave in rounds, until none fails
{% from "privacy/sets.jinja" import coded, failing, radix, seen, sizes %}
{% set adversary = adversaries[0] %}
with recursive coded as (
    {{ coded(classes, adversary) | indent }}
),

radix as (
    {{ radix(adversary.type) | indent }}
),

rounds as (
    select
        *,
        cast(null as bigint) as _achieved_1,
        false as _fails_1,
        {% if stars %}
        false as _joins,
        {% endif %}
        false as _fails,
        0 as _round
    from coded
    union all
    select *
    from (
        with remaining as (
            select *
            from rounds
            where not _fails
        ),

        seen as (
            {{ seen("remaining", adversary.sets) | indent(12) }}
        ),

        small as (
            {{ sizes(adversary.k) | indent(12) }}
        ),

        failing as (
            {{ failing() | indent(12) }}
        ),

        judged as (
            select remaining.* replace (
                failing._rows as _achieved_1,
                failing._class is not null as _fails_1,
                failing._class is not null as _fails,
                remaining._round + 1 as _round
            )
            from remaining
            left join failing
                on remaining._class = failing._class
            where remaining._round = 0
                or exists (
                    select 1
                    from rounds
                    where _fails
                )
        ){{ "," if stars }}

        {% if stars %}
{% include "privacy/joining.jinja" +%}
        {% endif %}
        select * from {{ "joined" if stars else "judged" }}
    ) as next_round
)

select * exclude (_class, _codes, _round){{ " replace (_fails and _joins as _joins)" if stars }}
from rounds
where _fails
    or _round = (
        select max(_round)
        from rounds
    )
