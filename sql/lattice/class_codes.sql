-- builds: class_codes
-- reads: combinations
-- one row: member of a class, as the codes of its labels on every level
select
    {{ keys | idents }}
from combinations
where
    _rows > 0
    {% for key, code in chosen.items() %}
    and {{ key | ident }} = {{ code }}
    {% endfor %}
order by
    {{ keys | map("ident") | join(",\n    ") }}
limit 1
