-- builds: repeated_persons
-- reads: records
-- one row: person with several rows, and whether each sensitive column has a value in all of them, and the same one
select
    {{ entity | ident }} as _entity,
    cast(count(*) as bigint) as _rows,
    {% for column in columns %}
    count({{ column | ident }}) = count(*) as _filled_{{ loop.index }},
    count({{ column | ident }}) = count(*) and count(distinct {{ column | ident }}) = 1 as _constant_{{ loop.index }}{{ "," if not loop.last }}
    {% endfor %}
from records
where {{ entity | ident }} is not null
group by
    {{ entity | ident }}
having count(*) > 1
