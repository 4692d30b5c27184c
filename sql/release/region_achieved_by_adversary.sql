-- builds: region_achieved_by_adversary
-- reads: verdicts (perhaps class_members, class_values_<column>, shares_<column>)
-- one row: the recoding and an adversary: for each model, the minimum and maximum that the released classes of the adversary achieve
with released as (
    select *
    from verdicts
    where not _fails
),

{% include "privacy/achieved_by_adversary.jinja" +%}
