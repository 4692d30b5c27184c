-- builds: unfit_cells
-- reads: source
-- one row: the input: cells of each column and the decimal places of its numbers, the rows that repeat the header, then for each column and type the cells that it would change
{% from "dataset/numbers.jinja" import fits with context %}
with cells as (
    select
        {{ (columns + header.keys() | reject("in", columns) | list) | idents | indent }}
    from source
    {{ "limit %d" % rows if rows is not none }}
)

select
    {% for column in columns %}
    count({{ column | ident }}) as {{ ("cells_" ~ loop.index0) | ident }},
    {{ "max(length(regexp_extract(%s, '^-?[0-9]+[.]([0-9]+)$', 1)))" % (column | ident) if rows is not none else "null" }} as {{ ("places_" ~ loop.index0) | ident }}{{ "," if not loop.last or candidates or header }}
    {% endfor %}
    {% if header %}
    count(*) filter (where {% for column, name in header.items() %}{{ column | ident }} = {{ name | literal }}{{ " and " if not loop.last }}{% endfor %}) as header_rows{{ "," if candidates }}
    {% endif %}
    {% for column, type in candidates %}
    count(*) filter (where {{ column | ident }} is not null and not coalesce({{ fits(column | ident, type) }}, false)) as {{ ("unfit_" ~ loop.index0) | ident }}{{ "," if not loop.last }}
    {% endfor %}
from cells
