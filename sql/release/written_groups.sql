-- builds: written_groups
-- reads: release
-- one row: set of quasi-identifier values as written in the output file, with its rows, the fingerprints of their cells, and the least and the greatest value of linked columns
{% from "release/fingerprint.jinja" import sums %}
select
    {{ quasi_identifiers | idents }},{{ sums(fingerprints, "written") }}
    {% for column in linked %}
    min(cast({{ column | ident }} as varchar)) as _least_{{ loop.index }},
    max(cast({{ column | ident }} as varchar)) as _greatest_{{ loop.index }},
    cast(count({{ column | ident }}) as bigint) as _filled_{{ loop.index }},
    {% endfor %}
    cast(count(*) as bigint) as _rows
from release
group by all
