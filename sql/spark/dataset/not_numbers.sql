-- builds: not_numbers
-- reads: source
-- one row: the input: whether each floating-point column holds NaN
select
    {% for column in columns %}
    count(case when isnan({{ column | backticked }}) then 1 end) > 0 as is_held_{{ loop.index0 }}{{ "," if not loop.last }}
    {% endfor %}
from source
