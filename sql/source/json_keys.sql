-- builds: json_keys
-- reads: the input
-- one row: file and key of its records, whether some record has a key twice, and whether one with it has a decimal number that would be rounded
with records as (
    select
        filename,
        json_keys(json) as keys,
        -- outside of text: decimals of more digits than a DOUBLE keeps
        regexp_matches(cast(json as varchar), '[0-9.]{19}') and len(list_filter(
            regexp_extract_all(regexp_replace(cast(json as varchar), '"(\\.|[^"\\])*"', '""', 'g'), '[0-9]+[.][0-9]+|[0-9]+[eE]'),
            lambda number: length(ltrim(regexp_replace(number, '[.eE]', ''), '0')) > 17
        )) > 0 as is_rounded
    from read_json_objects({{ files | literal }}, filename = true)
),

keys as (
    select
        filename,
        unnest(keys) as key,
        length(keys) > length(list_distinct(keys)) as is_repeated,
        is_rounded
    from records
)

select
    filename,
    key,
    bool_or(is_repeated) as is_repeated,
    bool_or(is_rounded) as is_rounded
from keys
group by
    filename,
    key
order by
    filename,
    key
