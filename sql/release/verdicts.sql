-- builds: verdicts
-- reads: combinations
-- one row: class of the chosen node, as label codes, with its rows and whether it fails
with classes as (
    {% filter indent(4) %}{% include "lattice/classes_at.sql" %}{% endfilter +%}
),

final as (
    {% filter indent(4) %}{% include model_template %}{% endfilter +%}
)

select * from final
