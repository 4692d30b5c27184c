-- builds: register
-- reads: nothing; the register is new
-- one row: the register: the version of its form, and the salt of the hashes of persons
select
    {{ version }} as version,
    {{ salt | literal }} as salt
