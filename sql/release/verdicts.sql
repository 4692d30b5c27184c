-- builds: verdicts
-- reads: combinations (perhaps combination_entities)
-- one row: class of the chosen node, as label codes, with its rows and whether it fails
with classes as (
{% include "lattice/classes_at.sql" +%}
),

final as (
{% include model_template +%}
)

select * from final
