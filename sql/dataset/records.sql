-- builds: records
-- reads: source
-- one row: input row that takes part, after the rule for missing values
{% from "dataset/missing.jinja" import present %}
select
    {{ columns | idents }}
from source
{{ present(dropped) }}
