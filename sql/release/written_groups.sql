-- builds: written_groups
-- reads: release
-- one row: set of quasi-identifier values as written in the output file, with its rows and the fingerprints of their cells
{% from "release/fingerprint.jinja" import fingerprint %}
select
    {{ quasi_identifiers | idents }},
    {% for cells in fingerprints %}
    {{ fingerprint(cells, "written") }} as _sum_{{ loop.index }},
    {% endfor %}
    cast(count(*) as bigint) as _rows
from release
group by
    {{ quasi_identifiers | idents }}
