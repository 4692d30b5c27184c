-- builds: isolated_<column>
-- reads: current_classes
-- one row: person, as the text of a column, whose released rows the column links, and whose set of classes fewer than k persons share
with trails as (
    select
        _person,
        list(distinct _class order by _class) as classes
    from current_classes
    where _person <> ''
        {% if not stars %}
        and _class is not null
        {% endif %}
    group by _person
),

sized as (
    select
        _person,
        count(*) over (partition by classes) as _persons
    from trails
)

select _person as {{ column | ident }}
from sized
where _persons < {{ k }}
