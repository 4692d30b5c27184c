-- builds: records
-- reads: source
-- one row: input row that takes part, after the rule for missing values
{% from "dataset/missing.jinja" import present %}
select
    {% for column in columns %}
    {{ column | ident }}{{ "," if not loop.last }}
    {% endfor %}
from source
{{ present(dropped) }}
