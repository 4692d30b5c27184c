-- builds: partitions
-- reads: cuts, side_classes (perhaps positions_<column>, branches_<column>, side_values_<column>, shares_<column>, decided_entropies)
-- one row: Mondrian partition: its parent, the attribute and the place of the cut, with its rows
with verdicts as (
{% include verdicts_template +%}
),

allowed as (
    select
        _partition,
        _rank,
        _variant,
        row_number() over (partition by _partition order by _rank, _variant) as place
    from verdicts
    group by
        _partition,
        _rank,
        _variant
    having count(*) > 1 and not bool_or(_fails)
),

final as (
    select
        {{ last_partition }} + row_number() over (order by verdicts._partition, verdicts._side) as _partition,
        verdicts._partition as _parent,
        {{ round }} as _round,
        case cuts._attribute
            {% for attribute in attributes %}
            when {{ attribute.number }} then {{ attribute.name | literal }}
            {% endfor %}
        end as _attribute,
        case
            when cuts._split is null or verdicts._side = 0 then cuts._cut
            else case cuts._cut when '<=' then '>' when '<' then '>=' else 'is missing' end
        end as _cut,
        case cuts._attribute
            {% for attribute in attributes %}
            when {{ attribute.number }} then {{ "case when cuts._variant > 0 then cut_%d.label end" % attribute.number if attribute.is_ordered else "cut_%d.label" % attribute.number }}
            {% endfor %}
        end as _value,
        cuts._level - 1 as _level,
        verdicts._side as _low,
        case
            when cuts._split is null then coalesce({% for attribute in attributes if not attribute.is_ordered %}cut_{{ attribute.number }}.high, {% endfor %}0)
            when verdicts._side = 0 then cuts._split
            else 2147483647
        end as _high,
        verdicts._rows
    from allowed
    join verdicts
        on allowed._partition = verdicts._partition
        and allowed._rank = verdicts._rank
        and allowed._variant = verdicts._variant
    join cuts
        on allowed._partition = cuts._partition
        and allowed._rank = cuts._rank
        and allowed._variant = cuts._variant
    {% for attribute in attributes %}
    {% if attribute.is_ordered %}
    left join {{ ("positions_" ~ attribute.name) | ident }} as cut_{{ attribute.number }}
        on cuts._attribute = {{ attribute.number }}
        and cuts._median = cut_{{ attribute.number }}.position
    {% else %}
    left join {{ ("branches_" ~ attribute.name) | ident }} as cut_{{ attribute.number }}
        on cuts._attribute = {{ attribute.number }}
        and cuts._level - 1 = cut_{{ attribute.number }}.level
        and verdicts._side = cut_{{ attribute.number }}.position
    {% endif %}
    {% endfor %}
    where allowed.place = 1
)

select * from final
