-- builds: intersections
-- reads: histories
-- one row: set of classes, one for each of the releases with at least this k that shows the records, which fewer than k records, or persons, share
{% set compared = releases | selectattr("least", "ge", least) | list %}
{% set size = "count(distinct others._person)" if of_persons else "cast(sum(others._records) as bigint)" %}
with shared as (
    select
        _class,
        {% for release in compared %}
        _class_{{ release.number }},
        {% endfor %}
        {% if of_persons %}
        count(distinct _person) as _records
        {% else %}
        cast(sum(least(
            _rows{% for release in compared if release.is_changed %}, coalesce(_rows_{{ release.number }}, _rows){% endfor %}

        )) as bigint) as _records
        {% endif %}
    from histories
    where _class is not null
    group by all
)

select
    {{ least }} as _least,
    shared._class,
    {% for release in releases %}
    {{ "shared._class_%d" % release.number if release.least >= least else "cast(null as bigint)" }} as _class_{{ release.number }},
    {% endfor %}
    {{ size }} as _size
from shared
join {{ "histories" if of_persons else "shared" }} as others
    on shared._class = others._class
    {% for release in compared %}
    and (shared._class_{{ release.number }} is null or shared._class_{{ release.number }} = others._class_{{ release.number }})
    {% endfor %}
where shared._records < {{ least }}
    and coalesce({% for release in compared %}shared._class_{{ release.number }}{{ ", " if not loop.last }}{% endfor %}) is not null
group by all
having {{ size }} < {{ least }}
