-- builds: class_results
-- reads: combinations or region_assignments or remaining (perhaps combination_entities, sensitive_<column>, value_entities_<column>, cell_entities, cell_values_<column>, cell_value_entities_<column>, class_members, class_values_<column>, regions, distribution_<column>, entropy_comparisons)
-- one row: class of the chosen node or of a pass, as label codes, or of a local recoding, by its number, with its rows and whether it fails
with {% include "privacy/class_results.jinja" +%}

select *
from class_results
{{ "where %s_fails" % ("" if fails else "not ") if fails is defined }}
