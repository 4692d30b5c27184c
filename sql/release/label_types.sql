-- builds: label_types
-- reads: regions or recoding_<column>
-- one row: whether all labels of a quasi-identifier are values that its type prints alike, and whether all are years
{% set label = column.name | ident if regional else "label" %}
select
    coalesce(bool_and({{ "_is_value_%d and %s = cast(try_cast(%s as %s) as varchar)" % (number, label, label, column.file_type) if number else "false" }}), false) as are_values,
    coalesce(bool_and(regexp_full_match({{ label }}, '[0-9]{4}')), false) as are_years
from {{ "regions" if regional else ("recoding_" ~ column.name) | ident }}
where {{ label }} is not null
