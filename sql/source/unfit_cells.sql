-- builds: unfit_cells
-- reads: source
-- one row: the input: cells of each column, then for each column and type the cells that the type would not keep as written
{% macro kept(cell, type) %}
{% if type == "double" %}
regexp_full_match({{ cell }}, '-?(0|[1-9][0-9]*)([.][0-9]+)?') and length({{ cell }}) <= 16
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
    count({{ column | ident }}){{ "," if not loop.last or candidates }}
    {% endfor %}
    {% for column, type in candidates %}
    count(*) filter (where {{ column | ident }} is not null and not coalesce({{ kept(column | ident, type) }}, false)){{ "," if not loop.last }}
    {% endfor %}
from cells
