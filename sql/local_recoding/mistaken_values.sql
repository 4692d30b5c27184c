-- builds: mistaken_values
-- reads: values_<column>, levels_<column>, labels_<column>
-- one row: label of the lowest level that a missing value and another value share
select labels.label
from {{ ("values_" ~ column) | ident }} as present
join {{ ("levels_" ~ column) | ident }} as levels
    on present.code = levels.code
join {{ ("labels_" ~ column) | ident }} as labels
    on labels.level = {{ level }}
    and labels.code = levels.level_{{ level }}
where {{ level }} < {{ height }}
group by labels.label
having bool_or(present.missing) and not bool_and(present.missing)
