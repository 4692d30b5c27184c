-- builds: unsuppressed_below
-- reads: unsuppressed
-- one row: distinct set of quasi-identifier values, as label codes for each level, with its rows; those that left on a path down the lattice are missing
{% from "privacy/same_class.jinja" import same_class %}
with classes as (
    select
        {{ class_keys | idents | indent }},
        cast(sum(_rows) as bigint) as _rows
    from unsuppressed
    group by all
),

class_results as (
{% include class_results_template +%}
)

select *
from unsuppressed
where not exists (
    select 1
    from class_results
    where class_results._fails
        and {{ same_class(class_keys, "unsuppressed", "class_results") | indent }}
)
