-- builds: label_types
-- reads: regions or recoding_<column>
-- one row: whether all labels of a quasi-identifier are years, which read the same as numbers
{% set label = column | ident if regional else "label" %}
select coalesce(bool_and(regexp_full_match({{ label }}, '[1-9][0-9]{3}')), false) as are_years
from {{ "regions" if regional else ("recoding_" ~ column) | ident }}
where {{ label }} is not null
