-- builds: part_counts
-- reads: sampled_records
-- one row: the sample: the different values of each column or part
{% from "dataset/parts.jinja" import part %}
select
    {% for column in columns %}
    count(distinct hash({{ part(column) }})) as values_{{ loop.index0 }}{{ "," if not loop.last }}
    {% endfor %}
from sampled_records
