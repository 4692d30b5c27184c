-- builds: isolated_<column>
-- reads: histories, intersections, differences
-- one row: value of a column, as text, of which all rows are left out, because the new release would isolate them: a person
{% from "register/few.jinja" import in_differences, in_intersections, ranked %}
with {{ ranked(releases, "1", "_person") }}

select distinct _person as {{ entity | ident }}
from ranked
where {{ in_intersections(releases, "ranked") }}
    or {{ in_differences(releases) }}
