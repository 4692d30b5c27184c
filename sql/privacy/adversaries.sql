-- builds: verdicts
-- reads: classes (perhaps histogram, members, shares_<column>)
-- one row: class, which fails if an adversary finds it in a failing class of the records that are left: failing classes leave in rounds, until none fails
{% from "privacy/seen.jinja" import seen_classes, seen_values with context %}
{% from "privacy/same_class.jinja" import same_class %}
with recursive rounds as (
    select
        *,
        {% for adversary in adversaries %}
        cast(0 as bigint) as _achieved_{{ adversary.number }},
        false as _fails_{{ adversary.number }},
        {% endfor %}
        {% if not counts_whole_classes %}
        false as _fails_below,
        {% endif %}
        {% if stars %}
        false as _joins,
        {% endif %}
        false as _fails,
        0 as _round
    from {{ classes }}
    union all
    select *
    from (
        with remaining as (
            select *
            from rounds
            where not _fails
        ),
        {% for adversary in adversaries %}

        seen_{{ adversary.number }} as (
            {{ seen_classes("remaining", adversary.known) | indent(12) }}
        ),
        {% for sensitive in adversary.sensitives %}

        {{ sensitive.histogram }} as (
            {{ seen_values("remaining", sensitive.whole, adversary.known) | indent(12) }}
        ),
        {% endfor %}

        judged_by_{{ adversary.number }} as (
{% with classes = "seen_%d" % adversary.number, class_keys = adversary.known, models = adversary.models, sensitives = adversary.sensitives %}
{% include "privacy/judged.sql" +%}
{% endwith %}
        ),
        {% endfor %}

        judged as (
            select remaining.* replace (
                {% for adversary in adversaries %}
                judged_by_{{ adversary.number }}._achieved_1 as _achieved_{{ adversary.number }},
                judged_by_{{ adversary.number }}._fails as _fails_{{ adversary.number }},
                {% endfor %}
                {% for adversary in adversaries %}{{ " or " if not loop.first }}judged_by_{{ adversary.number }}._fails{% endfor %} as _fails,
                {% if not counts_whole_classes %}
                remaining._round = 0 and ({% for adversary in adversaries %}{% for model in adversary.models if model.is_monotone %}judged_by_{{ adversary.number }}.{{ model.fails }} or {% endfor %}{% endfor %}false) as _fails_below,
                {% endif %}
                remaining._round + 1 as _round
            )
            from remaining
            {% for adversary in adversaries %}
            join judged_by_{{ adversary.number }}
                on {{ same_class(adversary.known, "remaining", "judged_by_%d" % adversary.number) | indent(12) }}
            {% endfor %}
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

select * exclude (_round){{ " replace (_fails and _joins as _joins)" if stars }}
from rounds
where _fails
    or _round = (
        select max(_round)
        from rounds
    )
