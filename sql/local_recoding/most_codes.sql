-- builds: most_codes
-- reads: cells
-- one row: cells: the greatest code of each quasi-identifier
select
    {% for attribute in attributes %}
    max(greatest({{ attribute.keys_of.values() | map("ident") | join(", ") }})){{ "," if not loop.last }}
    {% endfor %}
from cells
