-- builds: part_counts
-- reads: sampled_records
-- one row: the sample: its rows, its different rows, and the different values of each column or part
{% from "dataset/parts.jinja" import part %}
select
    count(*) as _rows,
    count(distinct hash({% for number in whole %}_retained_{{ number }}{{ ", " if not loop.last }}{% endfor %})) as whole_rows{{ "," if columns }}
    {% for column in columns %}
    count(distinct hash({{ part(column) }})) as values_{{ loop.index0 }}{{ "," if not loop.last }}
    {% endfor %}
from sampled_records
