-- builds: number_columns
-- reads: distinct_values (perhaps population_values)
-- one row: text column whose values are numbers or marks of missing values, with at least one number
with texts as (
    select
        _attribute,
        case _attribute
            when 0 then "sex"
        end as text
    from distinct_values
)

select _attribute
from texts
group by _attribute
having coalesce(bool_and(regexp_full_match(text, ' *[+-]?(((0|[1-9][0-9]*)([.][0-9]*)?|[.][0-9]+)(e[+-]?[0-9]{1,9})?|inf(inity)?) *', 'i') or lower(trim(text)) in ('', '-', '--', '.', '?', 'missing', 'n/a', 'na', 'nan', 'none', 'null', 'unknown')) and bool_or(regexp_full_match(text, ' *[+-]?(((0|[1-9][0-9]*)([.][0-9]*)?|[.][0-9]+)(e[+-]?[0-9]{1,9})?|inf(inity)?) *', 'i')), false)
order by _attribute
