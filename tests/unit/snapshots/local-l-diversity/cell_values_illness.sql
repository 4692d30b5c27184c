-- builds: cell_values_<column>
-- reads: sensitive_<column>, cells
-- one row: distinct set of quasi-identifier values, by its number, and sensitive value in it, as a code, with its rows, or the persons who have the value only in this set
select
    cells._cell,
    sensitive._value,
    sensitive._value_rows
from "sensitive_illness" as sensitive
join cells
    on sensitive."age_0" = cells."age_0"
    and sensitive."sex_0" = cells."sex_0"
    and sensitive."town_1" = cells."town_1"
