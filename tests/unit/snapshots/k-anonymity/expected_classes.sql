-- builds: expected_classes
-- reads: expected_groups
-- one row: set of labels that the recoding gives to the source, with its rows and the fingerprints of their cells
select groups.*
from expected_groups as groups
