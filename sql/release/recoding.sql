-- builds: recoding_<column>
-- reads: values_<column>, hierarchy_<column>, levels_<column>
-- one row: value, with its label and code in the release
select
    present.value,
    hierarchy.level_{{ level }} as label,
    levels.level_{{ level }} as code{{ "," if keep_suppressed_rows }}
    {% if keep_suppressed_rows %}
    hierarchy.level_{{ height }} as top
    {% endif %}
from {{ ("values_" ~ column) | ident }} as present
join {{ ("hierarchy_" ~ column) | ident }} as hierarchy
    on present.text is not distinct from hierarchy.value
join {{ ("levels_" ~ column) | ident }} as levels
    on present.code = levels.code
