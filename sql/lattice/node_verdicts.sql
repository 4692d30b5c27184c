-- builds: node_verdicts
-- reads: packed_combinations (perhaps packed_sensitive_<column>, shares_<column>, decided_entropies)
-- one row: node of one statement, by its number, and class, with its rows and whether it fails
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
{% for sensitive in sensitives %}

placed_{{ sensitive.number }} as (
    {% for keys in nodes %}
    select
        {{ loop.index0 }}{% for key in keys %} + {{ key | ident }}{% endfor %} as _key,
        _value,
        _value_rows
    from {{ ("packed_sensitive_" ~ sensitive.column) | ident }}
    {{ "union all" if not loop.last }}
    {% endfor %}
),

{{ sensitive.histogram }} as (
    select
        _key,
        _value,
        cast(sum(_value_rows) as bigint) as _value_rows
    from placed_{{ sensitive.number }}
    group by
        _key,
        _value
),
{% endfor %}

verdicts as (
{% include verdicts_template +%}
)

select * from verdicts
