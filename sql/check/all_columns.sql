-- builds: all_columns
-- reads: records
-- one row: the file: the distinct sets of values of all its columns, NULL being a value, the fewest rows of one, and the rows alone with theirs
with groups as (
    select
        cast(count(*) as bigint) as _rows
    from records
    group by
        -- whole rows as keys would take a hundred times the memory of their hashes
        hash(
            {{ columns | map("ident") | join(",\n            ") }}
        )
)

select
    cast(count(*) as bigint) as classes,
    cast(min(_rows) as bigint) as smallest,
    cast(coalesce(sum(case when _rows = 1 then 1 else 0 end), 0) as bigint) as uniques
from groups
