-- builds: number_like
-- reads: values_<column>
-- one row: the sensitive column: its values except marks of missing values, and how many are numbers, look like numbers, are dates or times of day, or are digits of one length
{% from "dataset/numbers.jinja" import is_missing_token, is_number with context %}
select
    count(*) as present,
    count(*) filter (where {{ is_number("text") }}) as numbers,
    count(*) filter (where regexp_full_match(text, '[^[:alnum:]]{0,3}[0-9][0-9 .,:/_''’–-]*([eE][+-]?[0-9]+)?[^0-9]{0,5}')) as like_numbers,
    count(*) filter (where regexp_full_match(text, '[0-9]{4}-[0-9]{2}(-[0-9]{2}([ T][0-9:.]+)?)?|[0-9]{2}:[0-9]{2}(:[0-9]{2})?')) as dates,
    case when count(distinct length(text)) = 1 then count(*) filter (where regexp_full_match(text, '[0-9]+')) else 0 end as digits
from {{ ("values_" ~ column) | ident }}
where text is not null
    and not {{ is_missing_token("text") }}
