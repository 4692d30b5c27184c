-- builds: unfit_k
-- reads: records
-- one row: the rows whose own k is missing, below 1, or no whole number, by fault
select
    count(*) filter (where {{ k_column | ident }} is null) as missing,
    count(*) filter (where {{ k_column | ident }} < 1) as below_one,
    count(*) filter (where {{ k_column | ident }} <> floor({{ k_column | ident }})) as fractions
from records
