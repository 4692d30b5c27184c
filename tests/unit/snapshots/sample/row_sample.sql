-- builds: row_sample
-- reads: records
-- one row: row of a random sample of those that take part, from which the samples of single checks are taken
select *
from records
using sample 61.538462% (bernoulli, 1)
