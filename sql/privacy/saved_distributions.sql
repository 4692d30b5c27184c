-- builds: saved_distributions
-- reads: distribution_<column>, values_<column>
-- one row: sensitive column and value, with the rows of the value in the whole table, its position in the order, and its labels
{% for column in columns %}
select
    {{ column.name | literal }} as sensitive,
    present.text as value,
    shares._table_rows as _rows,
    shares._position as place,
    cast([{% for level in range(column.height + 1 if column.height else 0) %}shares._label_{{ level }}{{ ", " if not loop.last }}{% endfor %}] as varchar[]) as labels
from {{ ("distribution_" ~ column.name) | ident }} as shares
join {{ ("values_" ~ column.name) | ident }} as present
    on shares._value = present.code
{% if not loop.last %}
union all
{% endif %}
{% endfor %}
order by
    sensitive,
    place
