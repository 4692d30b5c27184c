-- builds: written_groups
-- reads: release
-- one row: set of quasi-identifier values in the file that was written, as they stand there, with its rows and the fingerprints of their cells
{% from "release/fingerprint.jinja" import fingerprint, salted %}
select
    {% for qi in quasi_identifiers %}
    {{ qi | ident }},
    {% endfor %}
    {% for cells in fingerprints %}
    {{ fingerprint(cells, "written") }} as _sum_{{ loop.index }},
    {{ salted(cells, "written") }} as _salted_sum_{{ loop.index }},
    {% endfor %}
    cast(count(*) as bigint) as _rows
from release
group by
    {% for qi in quasi_identifiers %}
    {{ qi | ident }}{{ "," if not loop.last }}
    {% endfor %}
