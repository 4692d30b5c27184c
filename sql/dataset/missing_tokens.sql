-- builds: missing_tokens
-- reads: source
-- one row: the input: for each column the usual marks of missing values that it holds
{% from "dataset/numbers.jinja" import is_missing_token with context %}
select
    {% for column in columns %}
    coalesce(list(distinct {{ column | ident }}) filter (where {{ is_missing_token(column | ident) }}), []) as {{ ("marks_" ~ loop.index0) | ident }}{{ "," if not loop.last }}
    {% endfor %}
from source
