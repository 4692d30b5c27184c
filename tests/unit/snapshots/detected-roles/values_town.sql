-- builds: values_<column>
-- reads: distinct_values (perhaps population_values)
-- one row: distinct value of the column, with its code and its rows
with distincts as (
    select
        "town" as value,
        _rows
    from distinct_values
    where _attribute = 2
),

kind as (
    select coalesce(bool_and(regexp_full_match(value, ' *[+-]?(((0|[1-9][0-9]*)([.][0-9]*)?|[.][0-9]+)(e[+-]?[0-9]{1,9})?|inf(inity)?) *', 'i') or lower(trim(value)) in ('', '-', '--', '.', '?', 'missing', 'n/a', 'na', 'nan', 'none', 'null', 'unknown')) and bool_or(regexp_full_match(value, ' *[+-]?(((0|[1-9][0-9]*)([.][0-9]*)?|[.][0-9]+)(e[+-]?[0-9]{1,9})?|inf(inity)?) *', 'i')), false) as holds_numbers
    from distincts
),

final as (
    select
        value,
        cast(value as varchar) as text,
        cast(row_number() over (order by case when kind.holds_numbers then case
            when not regexp_full_match(value, ' *[+-]?(((0|[1-9][0-9]*)([.][0-9]*)?|[.][0-9]+)(e[+-]?[0-9]{1,9})?|inf(inity)?) *', 'i') then null
            when value ilike '%inf%' then case when ltrim(value) like '-%' then '0' else '3' end
            when ltrim(replace(regexp_replace(value, '[ +-]|e.*$', '', 'gi'), '.', ''), '0') = '' then '2'
            when ltrim(value) like '-%'
                then '1' || lpad(cast(4000000000 - (length(split_part(regexp_replace(value, '[ +-]|e.*$', '', 'gi'), '.', 1)) - length(replace(regexp_replace(value, '[ +-]|e.*$', '', 'gi'), '.', '')) + length(ltrim(replace(regexp_replace(value, '[ +-]|e.*$', '', 'gi'), '.', ''), '0')) + coalesce(try_cast(ltrim(regexp_extract(value, 'e([+-]?[0-9]+)', 1, 'i'), '+') as bigint), 0)) as varchar), 10, '0') || translate(rtrim(ltrim(replace(regexp_replace(value, '[ +-]|e.*$', '', 'gi'), '.', ''), '0'), '0'), '0123456789', '9876543210') || '~'
            else '2' || lpad(cast(4000000000 + length(split_part(regexp_replace(value, '[ +-]|e.*$', '', 'gi'), '.', 1)) - length(replace(regexp_replace(value, '[ +-]|e.*$', '', 'gi'), '.', '')) + length(ltrim(replace(regexp_replace(value, '[ +-]|e.*$', '', 'gi'), '.', ''), '0')) + coalesce(try_cast(ltrim(regexp_extract(value, 'e([+-]?[0-9]+)', 1, 'i'), '+') as bigint), 0) as varchar), 10, '0') || rtrim(ltrim(replace(regexp_replace(value, '[ +-]|e.*$', '', 'gi'), '.', ''), '0'), '0')
        end end nulls last, value nulls last) - 1 as utinyint) as code,
        false as missing,
        _rows
    from distincts
    cross join kind
)

select * from final
