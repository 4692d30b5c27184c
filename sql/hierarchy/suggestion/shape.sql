-- builds: shape
-- reads: values_<column>
-- one row: the column: its values, the numbers, marks of missing values, dates, ISO weeks, dates that end in the year, texts that look like dates or amounts, codes among them, those that begin with a digit or have digits only, and the length of the longest
{% from "dataset/dates.jinja" import moment_of with context %}
{% from "dataset/numbers.jinja" import is_missing_token, is_number with context %}
select
    count(*) as present,
    count(*) filter (where {{ is_number("text") }}) as numbers,
    count(*) filter (where {{ is_missing_token("text") }} and not {{ is_number("text") }}) as missing_tokens,
    count(*) filter (where {{ moment_of("text") }} is not null) as dates,
    count(*) filter (where regexp_full_match(text, '[0-9]{4}-W[0-9]{2}')) as weeks,
    count(*) filter (where regexp_full_match(text, '[0-9]{1,2}[./-][0-9]{1,2}[./-][0-9]{4}')) as years_last,
    count(*) filter (where regexp_full_match(lower(strip_accents(trim(text))), {{ looks | literal }}) or regexp_full_match(text, {{ amount | literal }})) as dated,
    count(*) filter (where regexp_full_match(text, '[[:alnum:]./_-]+( [[:alnum:]./_-]+)?') and regexp_matches(text, '[0-9]')) as codes,
    count(*) filter (where regexp_matches(text, '^[0-9]')) as begin_with_digit,
    count(*) filter (where regexp_full_match(text, '[0-9]+')) as digits,
    coalesce(max(length(text)), 0) as longest
from {{ ("values_" ~ column) | ident }}
where value is not null
    and not missing
