-- builds: isolated
-- reads: histories, intersections, differences (perhaps values_<column>)
-- one row: set of values whose records the new release would isolate, as text, or person, of whom all rows are left out
{% from "register/few.jinja" import in_intersections %}
with ranked as (
    -- the smallest sets of a class of an earlier release come first
    select
        *{% for release in releases if release.is_same_source %},
        sum({{ rows }}) over (
            partition by _class_{{ release.number }}
            order by
                {{ rows }},
                {{ keys | idents | indent(12) }}
            rows between unbounded preceding and 1 preceding
        ) as _before_{{ release.number }}{% endfor %}

    from histories
    where _class is not null
)

select
    {% for name, text in texts.items() %}
    {{ text }} as {{ name | ident }}{{ "," if not (of_persons and loop.last) }}
    {% endfor %}
    {{ "cast(sum(ranked._rows) as bigint) as _rows" if not of_persons }}
from ranked
{% for name in coded %}
join {{ ("values_" ~ name) | ident }}
    on ranked.{{ name | ident }} = {{ ("values_" ~ name) | ident }}.code
{% endfor %}
where {{ in_intersections(releases, "ranked") }}
{% for release in releases if release.is_same_source %}
    -- the few records that the earlier release does not show, and as many that it shows as make k with the few that the new one does not
    or exists (
        select 1
        from differences
        where differences._number = {{ release.number }}
            and (
                differences._class = ranked._class{{ " and ranked._class_%d is null" % release.number if not release.is_changed }}
                or (
                    differences._earlier_class = ranked._class_{{ release.number }}
                    and differences._size + coalesce(ranked._before_{{ release.number }}, 0) < {{ release.least }}
                )
            )
    )
{% endfor %}
group by all
