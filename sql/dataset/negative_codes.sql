-- builds: negative_codes
-- reads: source
-- one row: the input: for each column of numbers its only negative value with the rows that have it, if it has one, and its greatest value
select
    {% for column in columns %}
    case when min({{ column | ident }}) filter (where {{ column | ident }} < 0) = max({{ column | ident }}) filter (where {{ column | ident }} < 0) then cast(min({{ column | ident }}) as bigint) end,
    cast(count(*) filter (where {{ column | ident }} < 0) as bigint),
    cast(max({{ column | ident }}) as bigint){{ "," if not loop.last }}
    {% endfor %}
from source
