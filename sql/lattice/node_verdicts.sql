-- builds: node_verdicts
-- reads: packed_combinations
-- one row: node of those decided together, by its number, and class of it, with its rows and whether it fails
with placed as (
    {% for keys in nodes %}
    select
        {{ loop.index0 }}{% for key in keys %} + {{ key | ident }}{% endfor %} as _key,
        _rows
    from packed_combinations
    {{ "union all" if not loop.last }}
    {% endfor %}
),

classes as (
    select
        _key,
        _key % {{ width }} as _node,
        cast(sum(_rows) as bigint) as _rows
    from placed
    group by _key
),

verdicts as (
{% include verdicts_template +%}
)

select * from verdicts
