-- builds: json_keys
-- reads: the input
-- one row: file and key of its records, and whether some record has a key twice
with records as (
    select
        filename,
        json_keys(json) as keys
    from read_json_objects({{ files | literal }}, filename = true)
),

keys as (
    select
        filename,
        unnest(keys) as key,
        length(keys) > length(list_distinct(keys)) as is_repeated
    from records
)

select
    filename,
    key,
    bool_or(is_repeated) as is_repeated
from keys
group by
    filename,
    key
order by
    filename,
    key
