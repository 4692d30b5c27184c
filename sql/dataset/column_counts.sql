-- builds: column_counts
-- reads: records
-- one row: the input: its rows, and for each column the non-empty cells, the approximate number of distinct values, the least and the greatest value
{% from "dataset/extremes.jinja" import extreme %}
select
    cast(count(*) as bigint) as _rows,
    {% for column in columns %}
    cast(count({{ column.name | ident }}) as bigint) as {{ ("filled_" ~ loop.index0) | ident }},
    cast({{ "null" if column.is_nested else "approx_count_distinct(%s)" % (column.name | ident) }} as bigint) as {{ ("values_" ~ loop.index0) | ident }},
    {{ extreme("min", column) }} as {{ ("least_" ~ loop.index0) | ident }},
    {{ extreme("max", column) }} as {{ ("greatest_" ~ loop.index0) | ident }}{{ "," if not loop.last }}
    {% endfor %}
from records
