-- builds: star_classes
-- reads: present_classes, values_<column>
-- one row: class of the file, with a number, and the columns in which its rows show a star (one bit per column)
{% from "dataset/lookups.jinja" import by_code %}
select
    present_classes.*,
    row_number() over () as _class,
    {% for qi in quasi_identifiers %}
    case when {{ ("values_" ~ qi) | ident }}.text = {{ token | literal }} then {{ 2 ** loop.index0 }} else 0 end{{ " +" if not loop.last }}
    {% endfor %}
        as _pattern
from {{ by_code("present_classes", "values", quasi_identifiers) }}
