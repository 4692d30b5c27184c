-- builds: lookup_<column>
-- reads: listed_<column>
-- one row: line of the value table: value, its label on each level
{% from "hierarchy/as_printed.jinja" import as_printed %}
select
    {{ as_printed("cast(%s as varchar)" % (cells[0] | ident), exact_type, type) }} as value,
    {% for cell in cells %}
    {{ as_printed("cast(%s as varchar)" % (cell | ident), exact_type, type if loop.first else none) }} as level_{{ loop.index0 }}{{ "," if not loop.last }}
    {% endfor %}
from {{ ("listed_" ~ column) | ident }}
where {% for cell in cells %}{{ cell | ident }} is not null{{ " or " if not loop.last }}{% endfor %}
