-- builds: input_cells
-- reads: the input
-- one row: input row: its cells as text, and their checksum
{% import "dataset/readers.jinja" as readers with context %}
select
    *,
    hash({{ columns | map("ident") | join(", ") }}) as _checksum
from {{ readers[kind]() }}
