-- builds: achieved_by_adversary
-- reads: combinations (perhaps combination_entities, sensitive_<column>, shares_<column>)
-- one row: the node and an adversary: for each model, the minimum and maximum that the released classes of the adversary achieve
with {% include "lattice/verdicts.jinja" +%},

released as (
    select *
    from verdicts
    where not _fails
),

{% include "privacy/achieved_by_adversary.jinja" +%}
