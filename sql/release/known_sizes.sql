-- builds: known_sizes
-- reads: known_classes
-- one row: the records of classes of labels and retained columns with fewer than k records or persons, these classes together with all others, and the classes of the labels alone
{% from "privacy/persons.jinja" import distinct_persons %}
with sizes as (
    select
        {{ columns | idents | indent(8) }},
        sum(_rows) as _rows,
        {{ distinct_persons(persons) if persons else "sum(_rows)" }} as _size
    from known_classes
    group by all
),

labels as (
    select distinct
        {{ labels | idents | indent(8) }}
    from known_classes
)

select
    cast(coalesce(sum(case when _size < {{ k }} then _rows end), 0) as bigint) as _rows,
    count(*) as classes,
    (select count(*) from labels) as label_classes
from sizes
