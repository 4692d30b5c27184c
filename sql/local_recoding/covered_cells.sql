-- builds: cells
-- reads: cells, regions
-- one row: distinct set of quasi-identifier values, by its number, with its region and its rows
{# true if the label of the region covers the cell; if `is_total`, also if the column puts the cell among the ordered values #}
{% macro covers(attribute) -%}
cells.{{ attribute.name | ident }} between {{ "least(regions._low_%d, 0)" % attribute.number if is_total and attribute.is_ordered else "regions._low_%d" % attribute.number }} and {{ "greatest(regions._high_%d, %d)" % (attribute.number, attribute.placed - 1) if is_total and attribute.is_ordered else "regions._high_%d" % attribute.number }}
{%- endmacro %}
select cells.*
from cells
join regions
    on cells._partition = regions._region
where {% for attribute in attributes %}{{ covers(attribute) }}{{ "\n    and " if not loop.last }}{% endfor +%}
