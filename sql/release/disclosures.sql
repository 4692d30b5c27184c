-- builds: disclosures
-- reads: sampled_records, values_<column>, levels_<column>
-- one row: retained column, part of one or pair of them, and hidden label of a quasi-identifier: how well the first predicts it, beside the released label
{% from "dataset/parts.jinja" import part %}
with
labels as (
    {% for label in hidden %}
    select
        {{ loop.index0 }} as hidden,
        {{ label.number }} as quasi_identifier,
        present.code,
        present._rows,
        levels.level_{{ label.level }} as released,
        levels.level_{{ label.finer }} as finer
    from {{ ("values_" ~ label.name) | ident }} as present
    join {{ ("levels_" ~ label.name) | ident }} as levels
        on present.code = levels.code
    {% if not loop.last %}
    union all
    {% endif %}
    {% endfor %}
),

shares as (
    select
        hidden,
        released,
        finer,
        sum(_rows) / sum(sum(_rows)) over (partition by hidden, released) as share
    from labels
    group by
        hidden,
        released,
        finer
),

binned as (
    select
        {% for column in columns %}
        {% if column.bins %}
        case
            when _retained_{{ column.number }} is not null
                then floor(percent_rank() over (order by _retained_{{ column.number }}) * {{ column.bins }})
        end as _retained_{{ column.number }},
        {% else %}
        {{ "cast(_retained_%s as varchar) as _retained_%s" % (column.number, column.number) if column.is_nested else "_retained_%s" % column.number }},
        {% endif %}
        {% endfor %}
        {% for name in quasi_identifiers %}
        _value_{{ loop.index0 }}{{ "," if not loop.last }}
        {% endfor %}
    from sampled_records
),

-- a hash of the value that leaves the number of the column as its remainder, so that one grouping counts all of them
marked as (
    select
        unnest([
            {% for set in sets %}
            hash({% for column in set %}{{ part(column) }}{{ ", " if not loop.last }}{% endfor %}) // {{ most }} * {{ most }} + {{ loop.index0 }}{{ "," if not loop.last }}
            {% endfor %}
        ]) as cell,
        {% for name in quasi_identifiers %}
        values_{{ loop.index0 }}.code as _code_{{ loop.index0 }}{{ "," if not loop.last }}
        {% endfor %}
    from binned
    {% for name in quasi_identifiers %}
    join {{ ("values_" ~ name) | ident }} as values_{{ loop.index0 }}
        on binned._value_{{ loop.index0 }} is not distinct from values_{{ loop.index0 }}.value
    {% endfor %}
),

counts as (
    {% for name in quasi_identifiers %}
    select
        cell,
        {{ loop.index0 }} as quasi_identifier,
        _code_{{ loop.index0 }} as code,
        count(*) as _rows
    from marked
    group by all
    {% if not loop.last %}
    union all
    {% endif %}
    {% endfor %}
),

cells as (
    select
        counts.cell,
        labels.hidden,
        labels.released,
        labels.finer,
        sum(counts._rows) as _rows
    from counts
    join labels
        on counts.quasi_identifier = labels.quasi_identifier
        and counts.code = labels.code
    group by all
),

predicted as (
    select
        cells.cell % {{ most }} as kept,
        cells.hidden,
        sum(cells._rows) as _rows,
        (max(cells._rows) - 1) / (sum(cells._rows) - 1) as known,
        -- of labels with equally many rows, the most frequent one in the table
        arg_max(shares.share, cells._rows + shares.share / 2) as expected
    from cells
    join shares
        on cells.hidden = shares.hidden
        and cells.released = shares.released
        and cells.finer = shares.finer
    group by
        cells.cell,
        cells.hidden,
        cells.released
    having sum(cells._rows) > 1
),

-- the logarithm of the probability that all rows of a group have one label by chance
judged as (
    select
        *,
        (_rows - 1) * ln(expected) as chance,
        expected < {{ certain }} and known >= {{ certain }} as is_certain,
        expected < {{ certain }}
            and known >= {{ certain }}
            and (1 - known) * {{ gain }} <= 1 - expected
            and pow(expected, _rows) < {{ chance }} as is_disclosed
    from predicted
),

final as (
    select
        kept,
        hidden,
        sum(_rows) as repeated_rows,
        sum(_rows * known) / sum(_rows) as known,
        sum(_rows * expected) / sum(_rows) as expected,
        coalesce(sum(_rows) filter (where is_disclosed), 0) as disclosed_rows,
        count(*) filter (where expected < {{ certain }}) as groups,
        count(*) filter (where is_certain) as certain_groups,
        coalesce(sum(chance) filter (where is_certain), 0) as certain_chance,
        count(*) filter (where is_disclosed) as disclosed_groups,
        coalesce(sum(chance) filter (where is_disclosed), 0) as disclosed_chance
    from judged
    group by
        kept,
        hidden
)

select * from final
order by
    kept,
    hidden
