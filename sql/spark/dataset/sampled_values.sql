-- builds: sampled_values
-- reads: records
-- one row: row of a random sample of those that take part, with the columns that may identify directly
select
    {% for name in columns %}
    {{ name | backticked }}{{ "," if not loop.last }}
    {% endfor %}
from records
order by rand(1)
limit {{ rows }}
