-- builds: source
-- reads: the input
-- one row: input row, as read
{% import "dataset/readers.jinja" as readers with context %}
select {{ readers.cells(replaced) }}
from {{ readers[kind]() }}
