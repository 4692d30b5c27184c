-- builds: candidate_moves
-- reads: assigned, labels_<column>
-- one row: distinct set of quasi-identifier values, by its number, that moves to a node because its loss is larger elsewhere, or to complete a class
{% from "privacy/same_class.jinja" import same_class %}
{% set parts = class_keys | map("ident") | join(", ") %}
with large_classes as (
    select
        {{ parts }}
    from assigned
    group by all
    having sum(_rows) >= {{ k }}
),

offered as (
    select
        assigned._cell,
        {{ class_keys | idents("assigned") | indent }},
        assigned._pass = {{ number }} as is_own,
        assigned._place,
        assigned._cell_loss as assigned_loss,
        {% for attribute in attributes %}{{ "cast(%s as double) * labels_%d.loss" % (attribute.weight | literal, attribute.number) }}{{ " + " if not loop.last }}{% endfor %} as loss,
        assigned._rows
    from assigned
    semi join large_classes
        on {{ same_class(class_keys, "assigned", "large_classes") }}
    {% for attribute, key, level in levels %}
    join {{ ("labels_" ~ attribute.name) | ident }} as labels_{{ attribute.number }}
        on labels_{{ attribute.number }}.level = {{ level }}
        and labels_{{ attribute.number }}.code = assigned.{{ key | ident }}
    {% endfor %}
),

sizes as (
    select
        _place,
        sum(_rows) as size
    from assigned
    group by _place
),

shares as (
    select
        {{ class_keys | idents("offered") | indent }},
        offered._place,
        bool_or(offered.is_own) and max(sizes.size) >= {{ k }} as is_own,
        case when max(sizes.size) < {{ k }} then {{ most }} else max(offered.assigned_loss) end as assigned_loss,
        max(offered.loss) as loss,
        sum(offered._rows) as _rows,
        max(sizes.size) as size
    from offered
    join sizes
        on offered._place = sizes._place
    group by all
),

gaining as (
    select
        *,
        _rows = size as is_whole,
        assigned_loss > loss + {{ nearly }} and not is_own as gains,
        row_number() over (
            partition by _place
            order by (assigned_loss > loss + {{ nearly }} and not is_own) desc, _rows * (assigned_loss - loss) desc, {{ parts }}
        ) as place
    from shares
),

chosen as (
    select
        * exclude (gains),
        gains and (is_whole or size < {{ k }} or (place = 1 and size - _rows >= {{ k }})) as gains
    from gaining
),

groups as (
    select
        {{ parts }},
        sum(_rows) filter (where gains) as gained,
        sum(_rows * (assigned_loss - loss)) filter (where gains) as saved,
        bool_or(is_own) as has_own,
        arg_min(_place, (_rows * (loss - assigned_loss), _place)) filter (where is_whole and size >= {{ k }} and not gains and not is_own) as source_class,
        min(_rows * (loss - assigned_loss)) filter (where is_whole and size >= {{ k }} and not gains and not is_own) as added_loss
    from chosen
    group by all
),

decided as (
    select
        *,
        not has_own and gained < {{ k }} as needs_source_class
    from groups
    where gained > 0
        and (has_own or gained >= {{ k }} or added_loss + {{ nearly }} < saved)
)

select offered._cell
from offered
join decided
    on {{ same_class(class_keys, "offered", "decided") }}
join chosen
    on {{ same_class(class_keys, "offered", "chosen") }}
    and offered._place = chosen._place
where chosen.gains
    or (decided.needs_source_class and offered._place = decided.source_class)
