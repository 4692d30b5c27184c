-- builds: column_counts
-- reads: records
-- one row: the input: its rows, and for each column the non-empty cells, the approximate number of distinct values, the least and the greatest value
select
    cast(count(*) as bigint) as _rows,
    {% for column in columns %}
    {% set name = column.name | ident %}
    {% set number = "try_cast(%s as double)" % name if column.holds_numbers else name if column.is_number else none %}
    cast(count({{ name }}) as bigint) as {{ ("filled_" ~ loop.index0) | ident }},
    cast({{ "null" if column.is_nested else "approx_count_distinct(%s)" % name }} as bigint) as {{ ("values_" ~ loop.index0) | ident }},
    cast({{ "min(%s)" % number if number else "null" }} as double) as {{ ("least_" ~ loop.index0) | ident }},
    cast({{ "max(%s)" % number if number else "null" }} as double) as {{ ("greatest_" ~ loop.index0) | ident }}{{ "," if not loop.last }}
    {% endfor %}
from records
