-- builds: dependencies
-- reads: sampled_records
-- one row: set of columns, and column that it may determine: the rows whose values of the set are in several rows, the groups of these rows, the rows of the largest group, the rows that the others of their group predict, and the share of the most frequent value
{% from "dataset/parts.jinja" import hash_of %}
with chosen as (
    select{{ " distinct" if is_distinct }}
        {% for number in whole %}
        _retained_{{ number }}{{ "," if not loop.last }}
        {% endfor %}
    from sampled_records
    {% if entity is not none %}
    qualify _retained_{{ entity }} is null
        or row_number() over (partition by _retained_{{ entity }}) = 1
    {% endif %}
),

-- a hash of the values that leaves the number of the set as its remainder, so that one grouping counts all sets
marked as materialized (
    select
        unnest([
            {% for set in sets %}
            {{ hash_of(set) }} // {{ most }} * {{ most }} + {{ loop.index0 }}{{ "," if not loop.last }}
            {% endfor %}
        ]) as cell,
        {% for number in targets %}
        hash(_retained_{{ number }}) as target_{{ number }}{{ "," if not loop.last }}
        {% endfor %}
    from chosen
),

counts as (
    {% for number in targets %}
    select
        cell,
        {{ number }} as target,
        target_{{ number }} as value,
        count(*) as _rows
    from marked
    group by all
    {% if not loop.last %}
    union all
    {% endif %}
    {% endfor %}
),

frequent as (
    select
        target,
        max(_rows) / sum(_rows) as share
    from (
        select
            target,
            value,
            sum(_rows) as _rows
        from counts
        where cell % {{ most }} = 0
        group by
            target,
            value
    )
    group by target
),

groups as (
    select
        cell,
        target,
        sum(_rows) as _rows,
        max(_rows) as most
    from counts
    group by
        cell,
        target
    having sum(_rows) > 1
)

select
    cast(groups.cell % {{ most }} as integer) as number,
    groups.target,
    cast(sum(groups._rows) as bigint) as repeated,
    count(*) as groups,
    cast(max(groups._rows) as bigint) as largest,
    sum(groups._rows * (groups.most - 1) / (groups._rows - 1)) as predicted,
    max(frequent.share) as frequent
from groups
join frequent
    on groups.target = frequent.target
group by
    groups.cell % {{ most }},
    groups.target
order by
    number,
    groups.target
