-- builds: split_classes
-- reads: release
-- one row: class of the written file in which a linked column shows more than one value
select
    {% for qi in quasi_identifiers %}
    cast({{ qi | ident }} as varchar) as {{ qi | ident }},
    {% endfor %}
    cast(count(*) as bigint) as _rows
from release
group by
    {% for qi in quasi_identifiers %}
    cast({{ qi | ident }} as varchar){{ "," if not loop.last }}
    {% endfor %}
having
    {% for column in linked %}
    {{ "or " if not loop.first }}min(cast({{ column | ident }} as varchar)) <> max(cast({{ column | ident }} as varchar))
    or (count({{ column | ident }}) > 0 and count({{ column | ident }}) < count(*))
    {% endfor %}
