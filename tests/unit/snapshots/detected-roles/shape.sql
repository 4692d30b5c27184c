-- builds: shape
-- reads: values_<column>
-- one row: the column: its values, the numbers, marks of missing values, dates, ISO weeks, dates that end in the year, texts that look like dates or amounts, and codes among them, and the length of the longest
select
    count(*) as present,
    count(*) filter (where regexp_full_match(text, ' *[+-]?(((0|[1-9][0-9]*)([.][0-9]*)?|[.][0-9]+)(e[+-]?[0-9]{1,9})?|inf(inity)?) *', 'i')) as numbers,
    count(*) filter (where lower(trim(text)) in ('', '-', '--', '.', '?', 'missing', 'n/a', 'na', 'nan', 'none', 'null', 'unknown') and not regexp_full_match(text, ' *[+-]?(((0|[1-9][0-9]*)([.][0-9]*)?|[.][0-9]+)(e[+-]?[0-9]{1,9})?|inf(inity)?) *', 'i')) as marks,
    count(*) filter (where coalesce(
            case
            when regexp_full_match(text, '[0-9]{4}-(0[1-9]|1[0-2])') then try_cast(text || '-01' as timestamp)
            when regexp_full_match(text, '[0-9]{4}-Q[1-4]') then try_cast(left(text, 4) || '-' || (3 * cast(right(text, 1) as integer) - 2) || '-01' as timestamp)
            when regexp_full_match(text, '[0-9]{4}-W[0-9]{2}') and strftime(try_strptime(text || '-1', '%G-W%V-%u'), '%G-W%V') = text then try_strptime(text || '-1', '%G-W%V-%u')
        end,
            case
                when regexp_full_match(text, '[0-9]{4}-[0-9]{2}-[0-9]{2}([ T].*)?')
                    then try_cast(regexp_replace(text, '(:[0-9]{2}([.][0-9]+)?) ?(Z|UTC|[+-][0-9]{2}(:?[0-9]{2})?)$', '\1') as timestamp)
            end
        ) is not null) as dates,
    count(*) filter (where regexp_full_match(text, '[0-9]{4}-W[0-9]{2}')) as weeks,
    count(*) filter (where regexp_full_match(text, '[0-9]{1,2}[./-][0-9]{1,2}[./-][0-9]{4}')) as years_last,
    count(*) filter (where regexp_full_match(lower(strip_accents(trim(text))), '(?:[a-z]{2,10}[.]?,? +)?(?:\d{4}|\d\d?)[./-] ?\d\d?[./-] ?(?:\d{4}|\d\d)[.]?(?:[ ,t].*)?|\d{4}[./-] ?\d\d?[./-] ?\d[.]?(?:[ ,t].*)?|\d\d?/\d{4}|\d{4}/\d\d?|(?:1[89]|20)\d\d-(?:0[1-9]|1[0-2])|(?:1[89]|20)\d\d-?w\d\d(?:-?\d)?|q[1-4][ /-]?\d{4}|\d{4}[ /-]?q[1-4]|\d{4}年.*|(?:[a-z]{2,10}[.]?,? +)?[0-9 ./,''-]*(?:st|nd|rd|th|er)?[ ./-]*(?:de |of )?(?:jan|january|januar|janner|janvier|janv|ene|enero|gennaio|gen|janeiro|januari|styczen|stycznia|feb|february|februar|feber|fevrier|fevr|fev|febrero|febbraio|fevereiro|februari|luty|lutego|mar|march|marz|mrz|mars|marzo|marco|maart|maerz|marzec|marca|apr|april|avril|avr|abr|abril|aprile|kwiecien|kwietnia|may|mai|mayo|maggio|mag|maio|mei|maj|maja|jun|june|juni|juin|junio|giugno|giu|junho|czerwiec|czerwca|jul|july|juli|juillet|juil|julio|luglio|lug|julho|lipiec|lipca|aug|august|aout|ago|agosto|augustus|augusti|sierpien|sierpnia|sep|sept|september|septembre|septiembre|set|settembre|setembro|wrzesien|wrzesnia|oct|october|okt|oktober|octobre|octubre|ott|ottobre|out|outubro|pazdziernik|pazdziernika|nov|november|novembre|noviembre|novembro|listopad|listopada|dec|december|dez|dezember|decembre|dic|diciembre|dicembre|dezembro|grudzien|grudnia)[.]?[ ./,-]*(?:de |del )?[0-9][0-9 .,''/:stndrh-]*|(1[89]|20)\d\d(0[1-9]|1[0-2])([0-2]\d|3[01])|([0-2]\d|3[01])([0-2]\d|3[01])(1[89]|20)\d\d') or regexp_full_match(text, '-?(?:[€$£¥₹%]|EUR|USD|GBP|CHF|JPY|PLN|CZK|SEK|NOK|DKK|kr|zł|Kč) ?-?[0-9]+(?:(?:[.,]|[''’ ])[0-9]{3})*(?:[.,][0-9]+)?-?|-?[0-9]+(?:(?:[.,]|[''’ ])[0-9]{3})*(?:[.,][0-9]+)?-? ?(?:[€$£¥₹%]|EUR|USD|GBP|CHF|JPY|PLN|CZK|SEK|NOK|DKK|kr|zł|Kč)|-?[0-9]{1,3}(?:(?:,|[''’ ])[0-9]{3})+(?:[.,][0-9]+)?|-?[0-9]{1,3}(?:[.][0-9]{3}){2,}|-?[0-9.]+,[0-9]+')) as dated,
    count(*) filter (where regexp_full_match(text, '[[:alnum:]./_-]+( [[:alnum:]./_-]+)?') and regexp_matches(text, '[0-9]')) as codes,
    coalesce(max(length(text)), 0) as longest
from "values_illness"
where value is not null
    and not missing
