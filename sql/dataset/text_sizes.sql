-- builds: text_sizes
-- reads: sampled_records
-- one row: the sample: the greatest length and number of words of the values of each column
{% from "dataset/parts.jinja" import words %}
select
    {% for number in numbers %}
    coalesce(max(length(cast(_retained_{{ number }} as varchar))), 0) as longest_{{ number }},
    coalesce(max(len({{ words("cast(_retained_%d as varchar)" % number) }})), 0) as words_{{ number }}{{ "," if not loop.last }}
    {% endfor %}
from sampled_records
