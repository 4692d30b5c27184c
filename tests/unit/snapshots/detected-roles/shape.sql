-- builds: shape
-- reads: values_<column>
-- one row: the column: its values, the numbers, marks of missing values, dates, dates that end in the year and codes among them, and the length of the longest
select
    count(*) as present,
    count(*) filter (where regexp_full_match(text, ' *[+-]?(((0|[1-9][0-9]*)([.][0-9]*)?|[.][0-9]+)(e[+-]?[0-9]{1,9})?|inf(inity)?) *', 'i')) as numbers,
    count(*) filter (where lower(trim(text)) in ('', '-', '--', '.', '?', 'missing', 'n/a', 'na', 'nan', 'none', 'null', 'unknown') and not regexp_full_match(text, ' *[+-]?(((0|[1-9][0-9]*)([.][0-9]*)?|[.][0-9]+)(e[+-]?[0-9]{1,9})?|inf(inity)?) *', 'i')) as marks,
    count(*) filter (where regexp_full_match(text, '[0-9]{4}-[0-9]{2}-[0-9]{2}([ T].*)?') and try_cast(text as timestamp) is not null) as dates,
    count(*) filter (where regexp_full_match(text, '[0-9]{1,2}[./-][0-9]{1,2}[./-][0-9]{4}')) as years_last,
    count(*) filter (where regexp_full_match(text, '[[:alnum:]./_-]+( [[:alnum:]./_-]+)?') and regexp_matches(text, '[0-9]')) as codes,
    coalesce(max(length(text)), 0) as longest
from "values_illness"
where value is not null
    and not missing
