-- builds: texts
-- reads: values_<column>
-- one row: value of a quasi-identifier of a registered release, with its code
{% for qi in quasi_identifiers %}
select
    {{ loop.index }} as _column,
    code,
    text
from {{ ("values_" ~ qi) | ident }}
{% if not loop.last %}
union all
{% endif %}
{% endfor %}
