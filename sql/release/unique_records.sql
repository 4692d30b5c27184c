-- builds: unique_records
-- reads: release
-- one row: the written file: its records that no other record equals in all columns
{% set cells = columns | map(attribute="name") | map("ident") | join(", ") %}
with hashes as (
    select
        hash({{ cells }}) as _hash,
        count(*) as _rows
    from release
    group by hash({{ cells }})
),

compared as (
    select count(*) as _rows
    from release
    where hash({{ cells }}) in (
        select _hash
        from hashes
        where _rows > 1
    )
    group by
        {{ columns | map(attribute="name") | map("ident") | join(",\n        ") }}
)

select
    cast((select count(*) from hashes where _rows = 1) + (select count(*) from compared where _rows = 1) as bigint) as unique_records
