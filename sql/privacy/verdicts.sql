-- builds: verdicts
-- reads: combinations or placements or remaining (perhaps combination_entities, sensitive_<column>, sensitive_entities_<column>, cell_entities, cell_values_<column>, cell_value_entities_<column>, class_members, class_values_<column>, regions, shares_<column>, entropy_comparisons)
-- one row: class of the chosen node or of a pass, as label codes, or of a local recoding, by its number, with its rows and whether it fails
with {% include "privacy/verdicts.jinja" +%}

select *
from verdicts
{{ "where %s_fails" % ("" if fails else "not ") if fails is defined }}
