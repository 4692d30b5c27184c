-- builds: differing_rows
-- reads: records
-- one row: the table: for each pair of columns, the rows in which they differ
select
    {% for first, other in pairs %}
    count(*) filter (where {{ first | ident }} is distinct from {{ other | ident }}) as differ_{{ loop.index }}{{ "," if not loop.last }}
    {% endfor %}
from records
