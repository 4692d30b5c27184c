-- builds: negative_codes
-- reads: source
-- one row: the input: for each column of numbers its only negative value with the rows that have it, if it has one, and its greatest value
select
    {% for column in columns %}
    case when min({{ column | ident }}) filter (where {{ column | ident }} < 0) = max({{ column | ident }}) filter (where {{ column | ident }} < 0) then cast(min({{ column | ident }}) as bigint) end as {{ ("code_" ~ loop.index0) | ident }},
    cast(count(*) filter (where {{ column | ident }} < 0) as bigint) as {{ ("code_rows_" ~ loop.index0) | ident }},
    cast(max({{ column | ident }}) as bigint) as {{ ("greatest_" ~ loop.index0) | ident }}{{ "," if not loop.last }}
    {% endfor %}
from source
