-- builds: counted
-- reads: histories, intersections, differences
-- one row: the records, or persons, whose classes fewer than k share, and those that are left where one release is subtracted from another
{% from "register/few.jinja" import in_intersections %}
select
    cast((
        select coalesce({{ "count(distinct _person)" if of_persons else "sum(_rows)" }}, 0)
        from histories
        where {{ in_intersections(releases, "histories") | indent }}
    ) as bigint) as _in_intersections,
    cast((
        select coalesce(sum(_size), 0)
        from differences
    ) as bigint) as _in_differences
