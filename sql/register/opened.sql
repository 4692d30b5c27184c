-- builds: opened
-- reads: the register
-- one row: the register: the version of its form, and the salt of the hashes of persons
select
    version,
    salt
from {{ register | ident }}.main.register
