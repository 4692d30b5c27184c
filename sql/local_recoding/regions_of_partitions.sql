-- builds: regions
-- reads: extents, positions_<column> (perhaps ends_<column>, branches_<column>)
-- one row: region of the recoding, in which all rows have the same labels: the labels and their losses
{% from "local_recoding/labelled_partitions.jinja" import labelled with context %}
with labelled as (
    {{ labelled() | indent }}
)

select
    *,
    dense_rank() over (order by {% for attribute in attributes %}{{ attribute.name | ident }}{{ ", " if not loop.last }}{% endfor %}) as _class_number
from labelled
