-- builds: cell_values_<column>
-- reads: sensitive_<column>, cells, positions_<column>
-- one row: distinct set of quasi-identifier values, by its number, and sensitive value in it, as a code, with its rows, or the persons who have the value only in this set
select
    cells._cell,
    sensitive._value,
    sensitive._value_rows
from "sensitive_illness" as sensitive
join "positions_age"
    on sensitive."age_0" = "positions_age".code
join "positions_sex"
    on sensitive."sex_0" = "positions_sex".code
join "positions_town"
    on sensitive."town_1" = "positions_town".code
join cells
    on "positions_age".position = cells."age"
    and "positions_sex".position = cells."sex"
    and "positions_town".position = cells."town"
