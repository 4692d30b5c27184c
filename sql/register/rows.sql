-- builds: rows
-- reads: nothing; the register makes its rows (perhaps the register)
-- one row: row of a table of the register: of its releases, of the comparisons of a release, or of its version and salt
select
    {% for name, (type, values) in columns.items() %}
    unnest(cast({{ values | literal }} as {{ type }}[])) as {{ name | ident }}{{ "," if not loop.last }}
    {% endfor %}
{% if without is not none %}
union all
select *
from {{ register | ident }}.main.releases
where _number <> {{ without }}
{% endif %}
