-- builds: frequent_labels
-- reads: written_classes
-- one row: frequent label of a quasi-identifier in the release, the most frequent first
select "age" as label
from written_classes
where "age" is not null
    and "age" <> '*'
group by "age"
order by
    sum(_rows) desc,
    label
limit 3
