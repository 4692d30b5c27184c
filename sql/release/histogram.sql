-- builds: histogram
-- reads: written_value_groups_<column> or expected_value_groups_<column>
-- one row: set of labels in the written file, or of those that the recoding gives to the source, and sensitive value, as text, with its rows or the persons who have it
{% from "dataset/numbers.jinja" import text_of %}
select
    {% for key in keys %}
    cast(groups.{{ key | ident }} as varchar) as {{ key | ident }},
    {% endfor %}
    {{ text_of("groups._value", floating) }} as _value,
    cast(sum(groups._value_rows) as bigint) as _value_rows
from {{ relation | ident }} as groups
group by
    {% for key in keys %}
    cast(groups.{{ key | ident }} as varchar),
    {% endfor %}
    {{ text_of("groups._value", floating) }}
