-- builds: value_counts
-- reads: records
-- one row: column: its distinct values including NULL, the sum of their squared rows, the rare values and their rows, and the rows with usual marks of missing values
with groups as (
    select
        case
            when grouping("name") = 0 then 0
            when grouping("person") = 0 then 1
            when grouping("least") = 0 then 2
            when grouping("age") = 0 then 3
            when grouping("sex") = 0 then 4
            when grouping("town") = 0 then 5
            when grouping("illness") = 0 then 6
            when grouping("pay") = 0 then 7
        end as attribute,
        coalesce(cast("name" as varchar), cast("person" as varchar), cast("least" as varchar), cast("age" as varchar), cast("sex" as varchar), cast("town" as varchar), cast("illness" as varchar), cast("pay" as varchar)) as text,
        cast(count(*) as bigint) as _rows
    from records
    group by grouping sets (("name"), ("person"), ("least"), ("age"), ("sex"), ("town"), ("illness"), ("pay"))
),

final as (
    select
        attribute,
        cast(count(*) as bigint) as distinct_values,
        cast(sum(cast(_rows as double) * _rows) as double) as squares,
        cast(coalesce(sum(case when _rows < 5 then _rows end), 0) as bigint) as rare_rows,
        cast(count(case when _rows < 5 then 1 end) as bigint) as rare_values,
        cast(coalesce(sum(case when text = '?' then _rows end), 0) as bigint) as "mark_0",
        cast(coalesce(sum(case when text = 'NA' then _rows end), 0) as bigint) as "mark_1",
        cast(coalesce(sum(case when text = 'N/A' then _rows end), 0) as bigint) as "mark_2",
        cast(coalesce(sum(case when text = 'n/a' then _rows end), 0) as bigint) as "mark_3",
        cast(coalesce(sum(case when text = 'null' then _rows end), 0) as bigint) as "mark_4",
        cast(coalesce(sum(case when text = 'NULL' then _rows end), 0) as bigint) as "mark_5",
        cast(coalesce(sum(case when text = 'None' then _rows end), 0) as bigint) as "mark_6",
        cast(coalesce(sum(case when text = 'nan' then _rows end), 0) as bigint) as "mark_7",
        cast(coalesce(sum(case when text = 'NaN' then _rows end), 0) as bigint) as "mark_8",
        cast(coalesce(sum(case when text = '-' then _rows end), 0) as bigint) as "mark_9",
        cast(coalesce(sum(case when text = '--' then _rows end), 0) as bigint) as "mark_10",
        cast(coalesce(sum(case when text = '.' then _rows end), 0) as bigint) as "mark_11",
        cast(coalesce(sum(case when text = '' then _rows end), 0) as bigint) as "mark_12",
        cast(coalesce(sum(case when text = 'unknown' then _rows end), 0) as bigint) as "mark_13",
        cast(coalesce(sum(case when text = 'Unknown' then _rows end), 0) as bigint) as "mark_14",
        cast(coalesce(sum(case when text = 'missing' then _rows end), 0) as bigint) as "mark_15"
    from groups
    group by attribute
)

select * from final
order by attribute
