-- builds: isolated
-- reads: histories, intersections, differences
-- one row: person whom the new release would isolate
{% from "register/few.jinja" import in_differences, in_intersections, ranked %}
with {{ ranked(releases, "1", "_person") }}

select distinct _person
from ranked
where {{ in_intersections(releases, "ranked") }}
    or {{ in_differences(releases) }}
