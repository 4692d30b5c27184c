-- builds: passing
-- reads: passing, remaining, failing_fallback_classes
-- one row: class that a pass may release; of those that share records with a failing class of the fallback, or with what an adversary sees as one with it, the larger half stays, or none
{% from "privacy/same_class.jinja" import same_class %}
with shared as (
    select distinct
        {% for key in class_keys %}
        remaining.{{ key | ident }} as _pass_{{ loop.index }},
        {% endfor %}
        {% for key in fallback_keys %}
        failing_fallback_classes.{{ key | ident }} as _fallback_{{ loop.index }}{{ "," if not loop.last }}
        {% endfor %}
    from remaining
    join failing_fallback_classes
        on {% for known in seen %}({{ same_class(known, "remaining", "failing_fallback_classes") }}){{ "\n        or " if not loop.last }}{% endfor +%}
),

needed as (
    select
        {{ class_keys | idents("passing") | indent }},
        row_number() over (
            partition by {% for key in fallback_keys %}shared._fallback_{{ loop.index }}{{ ", " if not loop.last }}{% endfor +%}
            order by passing._rows desc, {% for key in class_keys %}passing.{{ key | ident }}{{ ", " if not loop.last }}{% endfor +%}
        ) as place,
        count(*) over (partition by {% for key in fallback_keys %}shared._fallback_{{ loop.index }}{{ ", " if not loop.last }}{% endfor %}) as places
    from passing
    join shared
        on {% for key in class_keys %}passing.{{ key | ident }} is not distinct from shared._pass_{{ loop.index }}{{ "\n        and " if not loop.last }}{% endfor +%}
)

select passing.*
from passing
where not exists (
    select 1
    from needed
    where {{ same_class(class_keys, "passing", "needed") }}
    {% if halves %}
        and 2 * needed.place > needed.places
    {% endif %}
)
