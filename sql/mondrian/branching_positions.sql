-- builds: ordered_codes_<column>
-- reads: levels_<column>, values_<column>
-- one row: label code that identifies cells, with its position in the order by which the column is cut
{% set name = attribute.name %}
select
    levels.level_{{ attribute.least }} as code,
    cast(row_number() over (order by {% for level in range(attribute.height, attribute.least - 1, -1) %}levels.level_{{ level }}{{ ", " if not loop.last }}{% endfor %}) - 1 as integer) as position,
    {% for level in range(attribute.least, attribute.height + 1) %}
    levels.level_{{ level }},
    {% endfor %}
    cast(sum(present._rows) as bigint) as _rows
from {{ ("levels_" ~ name) | ident }} as levels
join {{ ("values_" ~ name) | ident }} as present
    on present.code = levels.code
group by
    {% for level in range(attribute.height, attribute.least - 1, -1) %}
    levels.level_{{ level }}{{ "," if not loop.last }}
    {% endfor %}
