-- builds: persons
-- reads: current_classes
-- one row: person of a registered release, as a hash, and one of the classes in which it has a record
select distinct
    md5_number({{ salt | literal }} || _person) as _person,
    _class
from current_classes
where _class is not null
