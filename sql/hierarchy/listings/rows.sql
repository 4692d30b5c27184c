-- builds: listed_<column>
-- reads: nothing; the spec lists its lines
-- one row: line of the hierarchy file, as read
select *
from (
    values
        {% for row in rows %}
        ({{ row | map("literal") | join(", ") }}){{ "," if not loop.last }}
        {% endfor %}
) as listed ({% for cell in rows[0] %}cell_{{ loop.index0 }}{{ ", " if not loop.last }}{% endfor %})
