-- builds: disclosures
-- reads: released_sample, levels_<column>
-- one row: retained column, part of one or pair of them, and hidden label of a quasi-identifier: how well the first predicts it in the rows whose label leaves it open
{% from "dataset/parts.jinja" import part %}
with
-- without a level, the released label of the row is that beyond which the finer label is predicted
labels as (
    {% for label in hidden %}
    select
        {{ loop.index0 }} as hidden,
        {{ label.number }} as quasi_identifier,
        code,
        {{ "null" if label.level is none else "level_%d" % label.level }} as assumed,
        level_{{ label.finer }} as finer
    from {{ ("levels_" ~ label.name) | ident }}
    {% if not loop.last %}
    union all
    {% endif %}
    {% endfor %}
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
        {% for number in numbers %}
        _code_{{ number }},
        hash(_shown_{{ number }}) as _shown_{{ number }}{{ "," if not loop.last }}
        {% endfor %}
    from released_sample
),

-- a hash of the value that leaves the number of the column as its remainder, so that one grouping counts all of them
marked as materialized (
    select
        unnest([
            {% for set in sets %}
            hash({% for column in set %}{{ part(column) }}{{ ", " if not loop.last }}{% endfor %}) // {{ most }} * {{ most }} + {{ loop.index0 }}{{ "," if not loop.last }}
            {% endfor %}
        ]) as cell,
        {% for number in numbers %}
        _code_{{ number }},
        _shown_{{ number }}{{ "," if not loop.last }}
        {% endfor %}
    from binned
),

counts as (
    {% for number in numbers %}
    select
        cell,
        {{ number }} as quasi_identifier,
        _code_{{ number }} as code,
        _shown_{{ number }} as shown,
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
        coalesce(labels.assumed, counts.shown) as released,
        labels.finer,
        sum(counts._rows) as _rows
    from counts
    join labels
        on counts.quasi_identifier = labels.quasi_identifier
        and counts.code = labels.code
    group by all
),

-- every column has a cell of every row, so one of them has the shares of all rows
label_rows as (
    select
        hidden,
        released,
        finer,
        sum(_rows) as _rows
    from cells
    where cell % {{ most }} = 0
    group by all
),

shares as (
    select
        *,
        _rows / sum(_rows) over (partition by hidden, released) as share
    from label_rows
),

weighed as (
    select
        cells.*,
        shares.share
    from cells
    join shares
        on cells.hidden = shares.hidden
        and cells.released = shares.released
        and cells.finer = shares.finer
),

predicted as (
    select
        cell,
        hidden,
        sum(_rows) as _rows,
        (max(_rows) - 1) / (sum(_rows) - 1) as known,
        -- of labels with equally many rows, the most frequent one in the table
        arg_max(share, _rows + share / 2) as expected
    from weighed
    group by
        cell,
        hidden,
        released
    having sum(_rows) > 1
),

-- the logarithm of the probability that the other rows of a group have the label of the first by chance, and the same for all groups of a value
evaluated as (
    select
        *,
        (_rows - 1) * ln(expected) as chance,
        sum((_rows - 1) * ln(expected)) over cell as cell_chance,
        sum(_rows * known) over cell / sum(_rows) over cell as cell_known,
        sum(_rows * expected) over cell / sum(_rows) over cell as cell_expected
    from predicted
    where expected < {{ certain }}
    window cell as (partition by cell, hidden)
),

disclosed as (
    select
        *,
        known >= {{ certain }} as is_certain,
        (known >= {{ certain }} and (1 - known) * {{ gain }} <= 1 - expected and exp(chance) < {{ chance }})
            or (cell_known >= {{ certain }} and (1 - cell_known) * {{ gain }} <= 1 - cell_expected and exp(cell_chance) < {{ chance }}) as is_disclosed
    from evaluated
),

final as (
    select
        cell % {{ most }} as kept,
        hidden,
        sum(_rows) as open_rows,
        sum(_rows * known) / sum(_rows) as known,
        sum(_rows * expected) / sum(_rows) as expected,
        coalesce(sum(_rows) filter (where is_disclosed), 0) as disclosed_rows,
        count(*) as groups,
        count(*) filter (where is_certain) as certain_groups,
        coalesce(sum(chance) filter (where is_certain), 0) as certain_chance,
        count(*) filter (where is_disclosed) as disclosed_groups,
        coalesce(sum(chance) filter (where is_disclosed), 0) as disclosed_chance
    from disclosed
    group by all
)

select * from final
order by
    kept,
    hidden
