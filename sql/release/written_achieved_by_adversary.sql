-- builds: written_achieved_by_adversary
-- reads: written_classes (perhaps written_histogram_<column>, reference_<column>, written_shares_<column>)
-- one row: the written file and an adversary: for each model, the minimum and maximum that the classes of the adversary achieve
with released as (
    select *
    from written_classes
),

{% include "privacy/achieved_by_adversary.jinja" +%}
