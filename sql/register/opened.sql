-- builds: opened
-- reads: the register
-- one row: the register: the version of its format, and the salt of the hashes of persons
select
    version,
    salt
from {{ register | ident }}.main.register
