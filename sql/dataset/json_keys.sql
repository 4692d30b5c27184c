-- builds: json_keys
-- reads: the input
-- one row: file and key of its records, whether a record has a key twice, and whether a record with this key has a decimal number that would be rounded
with records as (
    select
        filename,
        json_keys(json) as keys,
        -- outside strings: decimals with more than 17 digits, and decimals that a DOUBLE prints as other numbers
        regexp_matches(cast(json as varchar), '[0-9.]{17}') and len(list_filter(
            regexp_extract_all(regexp_replace(cast(json as varchar), '"(\\.|[^"\\])*"', '""', 'g'), '[0-9]+[.][0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE]'),
            lambda number: length(ltrim(regexp_replace(regexp_replace(number, '[eE].*', ''), '[.]', ''), '0')) > 17
                or length(number) > 16
                and not regexp_matches(number, '[eE]')
                and try_cast(cast(try_cast(number as double) as varchar) as decimal(38, 20)) <> try_cast(number as decimal(38, 20))
        )) > 0 as is_rounded
    from read_json_objects({{ files | literal }}, filename = true{{ ", compression = %s" % (compression | literal) if compression }})
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
