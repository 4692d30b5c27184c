-- builds: frequent_labels
-- reads: written_classes
-- one row: frequent label of a quasi-identifier in the release, the most frequent first
select {{ name | ident }} as label
from written_classes
where {{ name | ident }} is not null
    and {{ name | ident }} <> '*'
group by {{ name | ident }}
order by
    sum(_rows) desc,
    label
limit 3
