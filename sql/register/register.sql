-- builds: register
-- reads: nothing; the register is new
-- one row: the register: the version of its format, and the salt of the hashes of persons
select
    {{ version }} as version,
    {{ salt | literal }} as salt
