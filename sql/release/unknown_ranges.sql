-- builds: unknown_ranges
-- reads: written_rows, ranges_<column>
-- one row: numbers in the written file that match no label of the recoding
{% from "release/ranges.jinja" import same_numbers %}
select distinct {{ column.values | list | idents }}
from written_rows
where not exists (
    select 1
    from {{ column.relation | ident }}
    where {{ same_numbers(column, column.relation | ident, is_text) | indent }}
)
