-- builds: marks
-- reads: source
-- one row: the input: for each column the usual marks of missing values that it holds
{% from "dataset/numbers.jinja" import is_mark with context %}
select
    {% for column in columns %}
    coalesce(list(distinct {{ column | ident }}) filter (where {{ is_mark(column | ident) }}), []) as {{ ("marks_" ~ loop.index0) | ident }}{{ "," if not loop.last }}
    {% endfor %}
from source
