-- builds: source
-- reads: the input
-- one row: input row, as read
{% import "dataset/readers.jinja" as readers with context %}
select {{ readers.cells(replaced, left_out, notations, nulls) }}
from {{ readers.parsed() if copy else readers[kind]() }}
