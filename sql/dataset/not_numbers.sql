-- builds: not_numbers
-- reads: source
-- one row: the input: whether each floating-point column holds NaN
select
    {% for column in columns %}
    {# isnan(), and = on doubles, are false for Parquet files whose statistics leave NaN out #}
    count(*) filter (where not isfinite({{ column | ident }}) and cast({{ column | ident }} as varchar) like '%nan') > 0 as {{ ("is_held_" ~ loop.index0) | ident }}{{ "," if not loop.last }}
    {% endfor %}
from source
