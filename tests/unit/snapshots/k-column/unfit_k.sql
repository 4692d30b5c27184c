-- builds: unfit_k
-- reads: records
-- one row: the input: the rows whose own k is missing, below 1, not a whole number, or too large, one column for each fault
select
    count(*) filter (where "least" is null) as missing,
    count(*) filter (where "least" < 1) as below_one,
    count(*) filter (where "least" <> floor("least") and "least" < 4000000000000000000) as fractions,
    count(*) filter (where "least" >= 4000000000000000000) as beyond
from records
