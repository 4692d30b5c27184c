-- builds: label_codes
-- reads: labels_<column>
-- one row: code of a label on a level
select code
from {{ ("labels_" ~ column) | ident }}
where
    level = {{ level }}
    and label is not distinct from {{ label | literal }}
