-- builds: intersections
-- reads: histories
-- one row: set of classes, one for each release that shows the persons, which fewer than k persons share
with shared as (
    select
        _class,
        {% for release in releases %}
        _class_{{ release.number }},
        {% endfor %}
        count(distinct _person) as _records,
        {% from "register/bound.jinja" import bound with context %}
        {{ bound() }} as _k
    from histories
    where _class is not null
    group by all
)

select
    shared.*,
    count(distinct others._person) as _size
from shared
join histories as others
    on shared._class = others._class
    {% for release in releases %}
    and (shared._class_{{ release.number }} is null or shared._class_{{ release.number }} = others._class_{{ release.number }})
    {% endfor %}
where shared._records < shared._k
    and coalesce({% for release in releases %}shared._class_{{ release.number }}{{ ", " if not loop.last }}{% endfor %}) is not null
group by all
having count(distinct others._person) < shared._k
