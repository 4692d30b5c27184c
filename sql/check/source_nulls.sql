-- builds: source_nulls
-- reads: source_distributions
-- one row: sensitive column with missing values in the source
select sensitive
from source_distributions
where value is null
