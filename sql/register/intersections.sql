-- builds: intersections
-- reads: histories
-- one row: set of classes, one for each release that shows the records, which fewer than k records share
with shared as (
    select
        _class,
        {% for release in releases %}
        _class_{{ release.number }},
        {% endfor %}
        cast(sum(least(
            _rows{% for release in releases if release.is_changed %}, coalesce(_rows_{{ release.number }}, _rows){% endfor %}

        )) as bigint) as _records,
        {% from "register/bound.jinja" import bound with context %}
        {{ bound() }} as _k
    from histories
    where _class is not null
    group by all
)

select
    shared.*,
    cast(sum(others._records) as bigint) as _size
from shared
join shared as others
    on shared._class = others._class
    {% for release in releases %}
    and (shared._class_{{ release.number }} is null or shared._class_{{ release.number }} = others._class_{{ release.number }})
    {% endfor %}
where shared._records < shared._k
    and coalesce({% for release in releases %}shared._class_{{ release.number }}{{ ", " if not loop.last }}{% endfor %}) is not null
group by all
having sum(others._records) < shared._k
