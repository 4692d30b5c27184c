-- builds: star_patterns
-- reads: present_classes, values_<column>
-- one row: set of columns (one bit per column) in which a row of the file shows a star, and no others
{% from "risk/masked.jinja" import joined, pattern with context %}
select distinct
    {{ pattern() | indent }} as pattern
from present_classes
{{ joined() }}
order by pattern
