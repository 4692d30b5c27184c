-- builds: disclosures
-- reads: sampled_records, values_<column>, levels_<column>
-- one row: retained column and generalized quasi-identifier: how well the column predicts a finer label than the released one
with
{% for qi in quasi_identifiers %}
labels_{{ loop.index0 }} as (
    select
        present.value,
        present._rows,
        levels.level_{{ qi.level }} as released,
        levels.level_{{ qi.finer }} as finer
    from {{ ("values_" ~ qi.name) | ident }} as present
    join {{ ("levels_" ~ qi.name) | ident }} as levels
        on present.code = levels.code
),

shares_{{ loop.index0 }} as (
    select
        released,
        finer,
        sum(_rows) / sum(sum(_rows)) over (partition by released) as share
    from labels_{{ loop.index0 }}
    group by
        released,
        finer
),

{% endfor %}
marked as (
    select
        {% for column in kept %}
        {% if column.bins %}
        case
            when sampled._kept_{{ column.number }} is not null
                then floor(percent_rank() over (order by sampled._kept_{{ column.number }}) * {{ column.bins }})
        end as _kept_{{ column.number }},
        {% else %}
        sampled._kept_{{ column.number }},
        {% endif %}
        {% endfor %}
        {% for qi in quasi_identifiers %}
        labels_{{ loop.index0 }}.released as _released_{{ loop.index0 }},
        labels_{{ loop.index0 }}.finer as _finer_{{ loop.index0 }}{{ "," if not loop.last }}
        {% endfor %}
    from sampled_records as sampled
    {% for qi in quasi_identifiers %}
    join labels_{{ loop.index0 }}
        on sampled._value_{{ loop.index0 }} is not distinct from labels_{{ loop.index0 }}.value
    {% endfor %}
),

predicted as (
    {% for column in kept %}
    {% set outer = loop %}
    {% for qi in quasi_identifiers %}
    {% set number = loop.index0 %}
    select
        {{ column.number }} as kept,
        {{ number }} as quasi_identifier,
        sum(cells._rows) as _rows,
        (max(cells._rows) - 1) / (sum(cells._rows) - 1) as known,
        arg_max(shares_{{ number }}.share, cells._rows) as expected
    from (
        select
            _kept_{{ column.number }} as value,
            _released_{{ number }} as released,
            _finer_{{ number }} as finer,
            count(*) as _rows
        from marked
        group by all
    ) as cells
    join shares_{{ number }}
        on cells.released = shares_{{ number }}.released
        and cells.finer = shares_{{ number }}.finer
    group by
        cells.value,
        cells.released
    having sum(cells._rows) > 1
    {% if not (loop.last and outer.last) %}
    union all
    {% endif %}
    {% endfor %}
    {% endfor %}
),

final as (
    select
        kept,
        quasi_identifier,
        sum(_rows) as repeated_rows,
        sum(_rows * known) / sum(_rows) as known,
        sum(_rows * expected) / sum(_rows) as expected,
        coalesce(sum(_rows) filter (
            where known >= {{ certain }}
                and expected < {{ certain }}
                and (1 - known) * {{ gain }} <= 1 - expected
                and pow(expected, _rows) < {{ chance }}
        ), 0) as disclosed_rows
    from predicted
    group by
        kept,
        quasi_identifier
)

select * from final
order by
    kept,
    quasi_identifier
