-- builds: class_sizes
-- reads: present_classes
-- one row: size of a class, with the classes that have it
select
    _rows,
    count(*) as classes
from present_classes
group by _rows
order by _rows
limit {{ limit }}
