-- builds: declared_missing
-- reads: source
-- one row: the input: the rows with each declared missing value in some column, then the rows with each usual mark of missing values
{% from "dataset/missing.jinja" import is_missing %}
select
    {% for rules in declared %}
    count(*) filter (where {% for name, rule in rules %}{{ is_missing(name | ident, rule) }}{{ " or " if not loop.last }}{% endfor %}) as {{ ("rows_" ~ loop.index0) | ident }}{{ "," if not loop.last }}
    {% endfor %}
from source
