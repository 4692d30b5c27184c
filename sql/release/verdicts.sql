-- builds: verdicts
-- reads: combinations (perhaps combination_entities, sensitive_<column>, sensitive_entities_<column>, shares_<column>, entropy_comparisons)
-- one row: class of the chosen node, as label codes, with its rows and whether it fails
with {% include "lattice/verdicts.jinja" +%}

select * from verdicts
