-- builds: rows_left_out
-- reads: two tables in the warehouse (perhaps released)
-- one row: the release: rows of the table that take part, and how many of them are not in the release
{% from "export/table.jinja" import where %}
with read as (
    select count(*) as rows_that_take_part
    from {{ source }} as source
    {{ where(conditions) }}
),

shown as (
    select count(*) as rows_released
    from {{ released_table }}
),

final as (
    select
        read.rows_that_take_part,
        read.rows_that_take_part - shown.rows_released as rows_left_out
    from read
    cross join shown
)

select * from final
{% if limit is not none %}
where rows_left_out > {{ limit.rows if limit.rows is not none else "%s * rows_that_take_part" % (limit.share | literal) }}
{% endif %}
