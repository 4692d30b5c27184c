-- builds: candidates
-- reads: spans (perhaps positions_<column>, branches_<column>)
-- one row: partition that may be cut and attribute with several values in it, the widest first, by width times weight
{% from "mondrian/common_label.jinja" import common_label %}
with widths as (
    {% for attribute in attributes %}
    {% set positions = ("positions_" ~ attribute.name) | ident %}
    select
        spans._partition,
        {{ loop.index }} as _attribute,
        cast({{ attribute.weight | literal }} as double) as _weight,
        {% if attribute.is_ordered %}
        cast(null as integer) as _level,
        spans._high_{{ loop.index }} >= {{ attribute.placed }} as _is_mixed,
        case
            when spans._high_{{ loop.index }} >= {{ attribute.placed }} then 1.0
            else (highest.point - lowest.point) / {{ attribute.span | literal }}
        end as _width
        {% else %}
        {{ common_label(attribute, "lowest", "highest") }} as _level,
        false as _is_mixed,
        branches.loss as _width
        {% endif %}
    from spans
    join {{ positions }} as lowest
        on spans._low_{{ loop.index }} = lowest.position
    join {{ positions }} as highest
        on spans._high_{{ loop.index }} = highest.position
    {% if not attribute.is_ordered %}
    join {{ ("branches_" ~ attribute.name) | ident }} as branches
        on branches.level = {{ common_label(attribute, "lowest", "highest") }}
        and branches.position = lowest.position
    {% endif %}
    where spans._low_{{ loop.index }} < {{ "least(spans._high_%d, %d)" % (loop.index, attribute.placed) if attribute.is_ordered else "spans._high_%d" % loop.index }}
    {% if not loop.last %}
    union all
    {% endif %}
    {% endfor %}
)

select
    *,
    row_number() over (partition by _partition order by _width * _weight desc, _attribute) as _rank
from widths
