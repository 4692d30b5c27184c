-- builds: region_labels_<column>
-- reads: extents, ordered_codes_<column> (perhaps ends_<column>, tree_nodes_<column>)
-- one row: region of the recoding, with the labels and losses of some quasi-identifiers
{# the lowest level on which two values have the same label #}
{% macro common_label(attribute, one, other) -%}
{% if attribute.least == attribute.height %}{{ attribute.height }}{% else %}case{% for level in range(attribute.least, attribute.height) %} when {{ one }}.level_{{ level }} = {{ other }}.level_{{ level }} then {{ level }}{% endfor %} else {{ attribute.height }} end{% endif %}
{%- endmacro %}
select
    extents._partition as _region,
    {% for attribute in attributes %}
    {% set number = attribute.number %}
    {% set ends = "ends_%d" % number %}
    {% set low, high = "%s.low" % ends, "%s.high" % ends %}
    {% set lowest, highest, branch = "lowest_%d" % number, "highest_%d" % number, "branch_%d" % number %}
    {% if attribute.is_ordered %}
    case
        when {{ low }} = {{ high }} then {{ lowest }}.label
        when {{ high }} >= {{ attribute.placed }} then '*'
        {% if not show_extremes %}
        when {{ low }} = 0 and {{ high }} = {{ attribute.placed - 1 }} then '*'
        when {{ low }} = 0 then '<= ' || {{ ends }}._to
        when {{ high }} = {{ attribute.placed - 1 }} then '>= ' || {{ ends }}._from
        {% endif %}
        else '[' || {{ ends }}._from || ', ' || {{ ends }}._to || ']'
    end as {{ attribute.name | ident }},
    {{ low }} = {{ high }} as _is_value_{{ number }},
    {{ ends }}._from as _from_{{ number }},
    {{ ends }}._to as _to_{{ number }},
    {{ low }} as _low_{{ number }},
    {{ high }} as _high_{{ number }},
    case
        when {{ low }} = {{ high }} then {{ lowest }}.loss
        when {{ high }} >= {{ attribute.placed }} then 1.0
        else {{ ends }}.width / {{ attribute.span | literal }}
    end as _loss_{{ number }},
    case
        when {{ low }} = {{ high }} then {{ lowest }}.loss
        when {{ high }} >= {{ attribute.placed }} then 1.0
        {% if not show_extremes %}
        when {{ low }} = 0 and {{ high }} = {{ attribute.placed - 1 }} then 1.0
        {% endif %}
        else ({{ highest }}.leaves - {{ lowest }}.leaves) / {{ attribute.leaves_span | literal }}
    end as _leaf_loss_{{ number }},
    case
        when {{ low }} = {{ high }} then {{ lowest }}._rows
        when {{ high }} >= {{ attribute.placed }} then {{ rows }}
        else {{ highest }}._cumulative_rows - {{ lowest }}._cumulative_rows + {{ lowest }}._rows
    end as _label_rows_{{ number }}{{ "," if not loop.last }}
    {% else %}
    {{ branch }}.label as {{ attribute.name | ident }},
    {{ branch }}.level as _level_{{ number }},
    {{ branch }}.level = 0 as _is_value_{{ number }},
    {{ branch }}.loss as _loss_{{ number }},
    {{ branch }}.loss as _leaf_loss_{{ number }},
    {{ branch }}._rows as _label_rows_{{ number }}{{ "," if not loop.last }}
    {% endif %}
    {% endfor %}
from extents
{% for attribute in attributes %}
{% set number, positions = attribute.number, ("ordered_codes_" ~ attribute.name) | ident %}
{% if attribute.is_ordered %}
join {{ ("ends_" ~ attribute.name) | ident }} as ends_{{ number }}
    on extents._low_{{ number }} = ends_{{ number }}.first
    and extents._high_{{ number }} = ends_{{ number }}.last
{% endif %}
join {{ positions }} as lowest_{{ number }}
    on {{ "ends_%d.low" % number if attribute.is_ordered else "extents._low_%d" % number }} = lowest_{{ number }}.position
join {{ positions }} as highest_{{ number }}
    on {{ "ends_%d.high" % number if attribute.is_ordered else "extents._high_%d" % number }} = highest_{{ number }}.position
{% if not attribute.is_ordered %}
join {{ ("tree_nodes_" ~ attribute.name) | ident }} as branch_{{ number }}
    on branch_{{ number }}.level = {{ common_label(attribute, "lowest_%d" % number, "highest_%d" % number) }}
    and branch_{{ number }}.position = lowest_{{ number }}.position
{% endif %}
{% endfor %}
