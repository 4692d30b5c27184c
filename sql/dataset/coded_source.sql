-- builds: source
-- reads: source_file
-- one row: input row, with the codes of missing values as NULL
{% from "dataset/readers.jinja" import unless_code with context %}
select
    {% for name in columns %}
    {{ unless_code(name, name | ident, nulls) }} as {{ name | ident }}{{ "," if not loop.last }}
    {% endfor %}
from source_file
