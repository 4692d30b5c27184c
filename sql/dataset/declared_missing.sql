-- builds: declared_missing
-- reads: source
-- one row: the input: the rows with each declared missing value in some column, then the rows with each usual mark of missing values
{% from "dataset/missing.jinja" import is_missing %}
select
    {% for rules in declared %}
    count(*) filter (
        where false
            {% for name, rule in rules %}
            or {{ is_missing(name | ident, rule) }}
            {% endfor %}
    ) as {{ ("rows_" ~ loop.index0) | ident }}{{ "," if not loop.last }}
    {% endfor %}
from source
