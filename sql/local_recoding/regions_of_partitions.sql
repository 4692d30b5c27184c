-- builds: regions
-- reads: extents, positions_<column> (perhaps branches_<column>)
-- one row: part of the recoding in which every row shows the same labels: these, and what each loses
{% from "mondrian/common_label.jinja" import common_label %}
with labelled as (
    select
        extents._partition as _region,
        {% for attribute in attributes %}
        {% set number = attribute.number %}
        {% set low, high = "extents._low_%d" % number, "extents._high_%d" % number %}
        {% set lowest, highest, branch = "lowest_%d" % number, "highest_%d" % number, "branch_%d" % number %}
        {% if attribute.is_ordered %}
        case
            when {{ low }} = {{ high }} then {{ lowest }}.label
            when {{ high }} >= {{ attribute.placed }} then '*'
            {% if not show_extremes %}
            when {{ low }} = 0 and {{ high }} = {{ attribute.placed - 1 }} then '*'
            when {{ low }} = 0 then '<= ' || {{ highest }}.label
            when {{ high }} = {{ attribute.placed - 1 }} then '>= ' || {{ lowest }}.label
            {% endif %}
            else '[' || {{ lowest }}.label || ', ' || {{ highest }}.label || ']'
        end as {{ attribute.name | ident }},
        {{ low }} = {{ high }} as _is_value_{{ number }},
        {{ lowest }}.label as _from_{{ number }},
        {{ highest }}.label as _to_{{ number }},
        case
            when {{ low }} = {{ high }} then {{ lowest }}.loss
            when {{ high }} >= {{ attribute.placed }} then 1.0
            else ({{ highest }}.point - {{ lowest }}.point) / {{ attribute.span | literal }}
        end as _loss_{{ number }},
        case
            when {{ low }} = {{ high }} then {{ lowest }}.loss
            when {{ high }} >= {{ attribute.placed }} then 1.0
            else ({{ highest }}.leaves - {{ lowest }}.leaves) / {{ attribute.leaves_span | literal }}
        end as _leaf_loss_{{ number }},
        case
            when {{ low }} = {{ high }} then {{ lowest }}._rows
            when {{ high }} >= {{ attribute.placed }} then {{ rows }}
            else {{ highest }}._reach - {{ lowest }}._reach + {{ lowest }}._rows
        end as _under_{{ number }}{{ "," if not loop.last }}
        {% else %}
        {{ branch }}.label as {{ attribute.name | ident }},
        {{ branch }}.level as _level_{{ number }},
        {{ branch }}.level = 0 as _is_value_{{ number }},
        {{ branch }}.loss as _loss_{{ number }},
        {{ branch }}.loss as _leaf_loss_{{ number }},
        {{ branch }}._rows as _under_{{ number }}{{ "," if not loop.last }}
        {% endif %}
        {% endfor %}
    from extents
{% for attribute in attributes %}
{% set number, positions = attribute.number, ("positions_" ~ attribute.name) | ident %}
    join {{ positions }} as lowest_{{ number }}
        on extents._low_{{ number }} = lowest_{{ number }}.position
    join {{ positions }} as highest_{{ number }}
        on extents._high_{{ number }} = highest_{{ number }}.position
{% if not attribute.is_ordered %}
    join {{ ("branches_" ~ attribute.name) | ident }} as branch_{{ number }}
        on branch_{{ number }}.level = {{ common_label(attribute, "lowest_%d" % number, "highest_%d" % number) }}
        and branch_{{ number }}.position = lowest_{{ number }}.position
{% endif %}
{% endfor %}
)

select
    *,
    dense_rank() over (order by {% for attribute in attributes %}{{ attribute.name | ident }}{{ ", " if not loop.last }}{% endfor %}) as _class_number
from labelled
