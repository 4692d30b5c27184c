-- builds: unfit_cells
-- reads: source
-- one row: the input: cells of each column and the decimal places of its numbers, then for each column and type the cells that it would change
{% from "dataset/numbers.jinja" import is_mark, is_number with context %}
{% macro kept(cell, type) %}
{% if type == "number" %}
cast(try_cast({{ cell }} as bigint) as varchar) = {{ cell }} or {{ is_number(cell) }} or {{ is_mark(cell) }}
{%- elif type == "mark" %}
{{ is_mark(cell) }}
{%- elif type == "double" %}
cast(try_cast({{ cell }} as double) as varchar) in ({{ cell }}{{ ", %s || '.0', lower(%s), replace(lower(%s), 'inity', '')" % (cell, cell, cell) if is_json }}){{ " and isfinite(try_cast(%s as double))" % cell if not is_json }}
{%- elif type == "timestamp" %}
cast(try_cast({{ cell }} as timestamp) as varchar) = replace({{ cell }}, 'T', ' ') and isfinite(try_cast({{ cell }} as timestamp))
{%- elif type == "date" %}
cast(try_cast({{ cell }} as date) as varchar) = {{ cell }} and isfinite(try_cast({{ cell }} as date))
{%- else %}
cast(try_cast({{ cell }} as {{ type }}) as varchar) = {{ cell }}
{%- endif %}
{% endmacro %}
with cells as (
    select
        {% for column in columns %}
        {{ column | ident }}{{ "," if not loop.last }}
        {% endfor %}
    from source
    {% if rows is not none %}
    limit {{ rows }}
    {% endif %}
)

select
    {% for column in columns %}
    count({{ column | ident }}),
    {{ "max(length(regexp_extract(%s, '^-?[0-9]+[.]([0-9]+)$', 1)))" % (column | ident) if rows is not none else "null" }}{{ "," if not loop.last or candidates }}
    {% endfor %}
    {% for column, type in candidates %}
    count(*) filter (where {{ column | ident }} is not null and not coalesce({{ kept(column | ident, type) }}, false)){{ "," if not loop.last }}
    {% endfor %}
from cells
