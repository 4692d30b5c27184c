-- builds: part_counts
-- reads: sampled_records
-- one row: the sample: its rows, and the different values of each set of columns or parts
{% from "dataset/parts.jinja" import hash_of %}
select
    count(*) as _rows,
    {% for set in sets %}
    count(distinct {{ hash_of(set) }}) as values_{{ loop.index0 }}{{ "," if not loop.last }}
    {% endfor %}
from sampled_records
