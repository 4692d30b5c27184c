-- builds: node
-- reads: combinations (perhaps combination_entities, sensitive_<column>, shares_<column>, decided_entropies)
-- one row: the node: its classes, and the rows that its failing classes hold
{% macro kept() -%}
least(_rows{% for number in bounding %}, case when _fails_{{ number }} then coalesce(_kept_{{ number }}, _rows) else _rows end{% endfor %})
{%- endmacro %}
{% set alone = "not _joins and " if stars else "" %}
with {% include "lattice/verdicts.jinja" +%}

select
    count(*) as classes,
    min(_rows) as smallest,
    coalesce(min(_rows) filter (where not _fails), 0) as released_smallest,
    coalesce(max(_rows) filter (where not _fails), 0) as released_largest,
    count(*) filter (where _fails) as failing_classes,
    coalesce(sum(_rows) filter (where _fails), 0) as failing_rows,
    sum(cast(_rows as hugeint) * _rows) as squares,
    coalesce(sum(cast(_rows as hugeint) * _rows) filter (where not _fails), 0) as released_squares,
    {{ "coalesce(sum(_rows) filter (where _joins), 0)" if stars else 0 }} as joining_rows,
    {{ "count(*) filter (where _joins)" if stars else 0 }} as joining_classes,
    {% if counts_whole_classes %}
    coalesce(sum(_rows) filter (where {{ alone }}_fails), 0) as least_below,
    {% else %}
    coalesce(sum(case
        {% if whole_fails %}
        when {{ whole_fails | join(" or ") }} then _rows
        {% endif %}
        {% if partial_fails %}
        when {{ partial_fails | join(" or ") }} then greatest(1, _rows - case when {{ kept() }} < {{ least_rows }} then 0 else {{ kept() }} end)
        {% endif %}
        else 0
    end), 0) as least_below,
    {% endif %}
    {% if doubtful %}
    count(*) filter (where {{ doubtful | join(" or ") }}) as doubtful
    {% else %}
    0 as doubtful
    {% endif %}
from verdicts
