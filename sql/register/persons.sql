-- builds: persons
-- reads: current_classes
-- one row: person of the input of a registered release, as a hash, and one of the classes in which it has a record, NULL if it is suppressed
select distinct
    md5_number({{ salt | literal }} || _person) as _person,
    _class
from current_classes
