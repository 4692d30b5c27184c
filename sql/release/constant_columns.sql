-- builds: constant_columns
-- reads: records, release or written_classes
-- one row: the written file, or its first rows: its rows or classes, and for each column the non-empty cells and whether they hold a single value
with compared as (
    select
        {{ columns | idents | indent }}
    from {{ relation }}
    {% if most is not none %}
    limit {{ most }}
    {% endif %}
)

select
    {% for column in columns %}
    cast(count({{ column | ident }}) as bigint) as {{ ("filled_" ~ loop.index0) | ident }},
    case when min({{ column | ident }}) = max({{ column | ident }}) then 1 else 0 end as {{ ("single_" ~ loop.index0) | ident }},
    {% endfor %}
    cast(count(*) as bigint) as _rows
from compared
