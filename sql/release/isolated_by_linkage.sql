-- builds: isolated_<column>
-- reads: current_classes
-- one row: person, as the text of a column, whose released rows the column links, and who shares the numbers of rows in classes with fewer than k persons
with places as (
    select
        _person,
        _class,
        sum(_rows) as _rows
    from current_classes
    where _person <> ''
        {% if not keep_suppressed_rows %}
        and _class is not null
        {% endif %}
    group by all
),

trails as (
    select
        _person,
        list(struct_pack(_class := _class, _rows := _rows) order by _class) as classes
    from places
    group by
        _person{{ ",\n        _class" if by_class }}
),

sized as (
    select
        _person,
        count(*) over (partition by classes) as _persons
    from trails
)

select distinct _person as {{ column | ident }}
from sized
where _persons < {{ k }}
