-- builds: cells
-- reads: cells, partitions
-- one row: distinct set of quasi-identifier values, by its number, with its region and its rows
with made as (
    select *
    from partitions
    where _round = {{ round }}
)

select cells.* replace (coalesce(made._partition, cells._partition) as _partition)
from cells
left join made
    on cells._partition = made._parent
    and made._is_rest <> (
        case made._attribute
            {% for attribute in attributes %}
            when {{ attribute.name | literal }} then cells.{{ attribute.name | ident }}
            {% endfor %}
        end between made._low and made._high
    )
where made._partition is not null
    or not exists (
        select 1
        from made
        where made._parent = cells._partition
    )
