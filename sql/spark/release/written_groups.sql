-- builds: written_groups
-- reads: release
-- one row: set of quasi-identifier values as written in the output file, with its rows, the fingerprints of their cells, and the least and the greatest value of linked columns
{% from "release/fingerprint.jinja" import sums %}
select
    {{ quasi_identifiers | map("backticked") | join(",\n    ") }},{{ sums(fingerprints, "written") }}
    {% for column in linked %}
    min(cast({{ column | backticked }} as string)) as _least_{{ loop.index }},
    max(cast({{ column | backticked }} as string)) as _greatest_{{ loop.index }},
    cast(count({{ column | backticked }}) as bigint) as _filled_{{ loop.index }},
    {% endfor %}
    cast(count(*) as bigint) as _rows
from release
group by
    {{ quasi_identifiers | map("backticked") | join(",\n    ") }}
