-- builds: person_pairs
-- reads: records
-- one row: the pairs of values of two columns, without the rows that have neither
select count(*) as _pairs
from (
    select distinct
        {{ [first, second] | idents }}
    from records
    where {{ first | ident }} is not null or {{ second | ident }} is not null
) as pairs
