-- builds: release
-- reads: written_rows, ranges_<column>
-- one row: released row, as read back from the file, with the labels of its numbers
{% from "release/ranges.jinja" import same_numbers %}
select
    {% for name, relation in columns.items() %}
    {{ "%s.shown" % (relation | ident) if relation else "written_rows.%s" % (name | ident) }} as {{ name | ident }}{{ "," if not loop.last }}
    {% endfor %}
from written_rows
{% for column in ranges %}
left join (
    select distinct
        {{ column.values.values() | join(", ") }},
        shown
    from {{ column.relation | ident }}
) as {{ column.relation | ident }}
    on {{ same_numbers(column, column.relation | ident, is_text) }}
{% endfor %}
