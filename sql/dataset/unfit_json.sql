-- builds: unfit_json
-- reads: source
-- one row: the input: for each column the cells that hold an object or a list, and those with a whole number that a DOUBLE may round
select
    {% for column in columns %}
    count(*) filter (where json_type({{ column | ident }}) in ('OBJECT', 'ARRAY')) as {{ ("nested_" ~ loop.index0) | ident }},
    count(*) filter (
        where regexp_matches(regexp_replace(cast({{ column | ident }} as varchar), '"(\\.|[^"\\])*"', '""', 'g'), '(^|[^0-9.eE+-])-?[0-9]{16,}([^0-9.eE]|$)')
    ) as {{ ("long_numbers_" ~ loop.index0) | ident }}{{ "," if not loop.last }}
    {% endfor %}
from source
