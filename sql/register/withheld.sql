-- builds: withheld
-- reads: isolated
-- one row: set of quasi-identifier values, as text, whose records a registered release left out because it would isolate them
select
    {% for qi in quasi_identifiers %}
    {{ qi | ident }} as _text_{{ loop.index }},
    {% endfor %}
    cast(sum(_rows) as bigint) as _rows
from isolated
group by all
