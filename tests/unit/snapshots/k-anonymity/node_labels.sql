-- builds: node_labels
-- reads: node_verdicts
-- one row: node of one statement, quasi-identifier and label code, with the rows of failing classes under the label
with failing as (
    select
        _node,
        _key // 32 % 7 as "age",
        _key // 224 % 2 as "sex",
        _key // 448 % 2 as "town",
        _rows
    from node_verdicts
    where _fails
        and _node in (0)
)

select
    _node,
    case
        when grouping("age") = 0 then 0
        when grouping("sex") = 0 then 1
        when grouping("town") = 0 then 2
    end as attribute,
    coalesce("age", "sex", "town") as code,
    cast(sum(_rows) as bigint) as _rows
from failing
group by grouping sets ((_node, "age"), (_node, "sex"), (_node, "town"))
