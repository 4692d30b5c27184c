-- builds: value_counts
-- reads: records
-- one row: column: its distinct values including NULL, the sum of their squared rows, the rare values and their rows, and the rows with usual marks of missing values
with groups as (
    select
        case
            {% for column in columns %}
            when grouping({{ column | ident }}) = 0 then {{ loop.index0 }}
            {% endfor %}
        end as attribute,
        coalesce({% for column in columns %}cast({{ column | ident }} as varchar){{ ", " if not loop.last }}{% endfor %}) as text,
        cast(count(*) as bigint) as _rows
    from records
    group by grouping sets (
        {%- for column in columns %}({{ column | ident }}){{ ", " if not loop.last }}{% endfor -%}
    )
),

final as (
    select
        attribute,
        cast(count(*) as bigint) as distinct_values,
        cast(sum(cast(_rows as double) * _rows) as double) as squares,
        cast(coalesce(sum(case when _rows < {{ rare }} then _rows end), 0) as bigint) as rare_rows,
        cast(count(case when _rows < {{ rare }} then 1 end) as bigint) as rare_values,
        {% for mark in missing_tokens %}
        cast(coalesce(sum(case when text = {{ mark | literal }} then _rows end), 0) as bigint) as {{ ("mark_" ~ loop.index0) | ident }}{{ "," if not loop.last }}
        {% endfor %}
    from groups
    group by attribute
)

select * from final
order by attribute
