-- builds: star_patterns
-- reads: present_classes, values_<column>
-- one row: set of columns (a bit each) in which a row of the file shows a star, and no other
{% from "risk/starred.jinja" import joined, pattern with context %}
select distinct
    {{ pattern() | indent }} as pattern
from present_classes
{{ joined() }}
order by pattern
