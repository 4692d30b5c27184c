-- builds: frequent_labels
-- reads: written_classes
-- one row: frequent label of a quasi-identifier in the release, the most frequent first
select "least" as label
from written_classes
where "least" is not null
    and "least" <> '*'
group by "least"
order by
    sum(_rows) desc,
    label
limit 3
