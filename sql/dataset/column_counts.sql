-- builds: column_counts
-- reads: records
-- one row: the input: its rows, and for each column the cells that are filled, about how many values they hold, the least and the greatest
select
    cast(count(*) as bigint) as _rows,
    {% for column in columns %}
    cast(count({{ column.name | ident }}) as bigint) as {{ ("filled_" ~ loop.index0) | ident }},
    {% if column.is_nested %}
    cast(null as bigint) as {{ ("values_" ~ loop.index0) | ident }},
    {% else %}
    cast(approx_count_distinct({{ column.name | ident }}) as bigint) as {{ ("values_" ~ loop.index0) | ident }},
    {% endif %}
    {% if column.holds_numbers %}
    min(try_cast({{ column.name | ident }} as double)) as {{ ("least_" ~ loop.index0) | ident }},
    max(try_cast({{ column.name | ident }} as double)) as {{ ("greatest_" ~ loop.index0) | ident }}{{ "," if not loop.last }}
    {% elif column.is_number %}
    cast(min({{ column.name | ident }}) as double) as {{ ("least_" ~ loop.index0) | ident }},
    cast(max({{ column.name | ident }}) as double) as {{ ("greatest_" ~ loop.index0) | ident }}{{ "," if not loop.last }}
    {% else %}
    cast(null as double) as {{ ("least_" ~ loop.index0) | ident }},
    cast(null as double) as {{ ("greatest_" ~ loop.index0) | ident }}{{ "," if not loop.last }}
    {% endif %}
    {% endfor %}
from records
