-- builds: value_sets
-- reads: current_classes
-- one row: distinct set of quasi-identifier values of a registered release, as codes, with its rows and its class, NULL if suppressed
select
    {% for qi in quasi_identifiers %}
    {{ qi | ident }} as _code_{{ loop.index }},
    {% endfor %}
    _class,
    cast(sum(_rows) as bigint) as _rows
from current_classes
group by all
