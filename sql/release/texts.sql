-- builds: texts_<column>
-- reads: distinct_values
-- one row: distinct text of a retained column, with the number that represents it while rows are shuffled
select
    {{ column | ident }} as value,
    cast(row_number() over (order by {{ column | ident }} nulls last) - 1 as {{ code_type }}) as code
from distinct_values
where _attribute = {{ attribute }}
