-- builds: scattered
-- reads: recoded
-- one row: row to be released, in an order that follows from nothing but what is released, and so is the same if a worker begins again
select *
from recoded
distribute by xxhash64({{ columns | map("backticked") | join(", ") }})
sort by xxhash64({{ columns | map("backticked") | join(", ") }})
