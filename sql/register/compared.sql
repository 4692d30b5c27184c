-- builds: compared
-- reads: histories, intersections, differences
-- one row: earlier release: the records, or persons, whose two classes fewer than k share, and the smallest intersection; of all releases those whose classes fewer than k share, and those that are left where one release is subtracted from another
{% from "register/few.jinja" import in_intersections %}
{% set size = "count(distinct _person)" if of_persons else "sum(_rows)" %}
with shared as (
    {% for release in releases %}
    select
        {{ release.number }} as _number,
        {{ size }} as _records
    from histories
    where _class is not null
        and _class_{{ release.number }} is not null
    group by
        _class,
        _class_{{ release.number }}
    {{ "union all" if not loop.last }}
    {% endfor %}
),

bounds as (
    select
        unnest({{ releases | map(attribute="number") | list | literal }}) as _number,
        unnest({{ releases | map(attribute="least") | list | literal }}) as _least
)

select
    bounds._number,
    cast(coalesce(sum(shared._records) filter (where shared._records < bounds._least), 0) as bigint) as _few,
    cast(min(shared._records) as bigint) as _smallest,
    cast((
        select coalesce({{ size }}, 0)
        from histories
        where {{ in_intersections(releases, "histories") | indent }}
    ) as bigint) as _in_intersections,
    cast((
        select coalesce(sum(_size), 0)
        from differences
    ) as bigint) as _in_differences
from bounds
left join shared
    on bounds._number = shared._number
group by bounds._number
order by bounds._number
