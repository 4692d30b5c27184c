-- builds: failing_fallback_classes
-- reads: remaining, passing, failing (perhaps cell_entities, cell_values_<column>, cell_value_entities_<column>, distribution_<column>, entropy_comparisons)
-- one row: class of the fallback that no longer satisfies the requirement without the rows of a pass
{% from "privacy/same_class.jinja" import same_class %}
with rest as (
    select *
    from remaining
    where not exists (
        select 1
        from passing
        where {{ same_class(pass_keys, "remaining", "passing") }}
    )
),

{% include "privacy/class_results.jinja" +%}

select *
from class_results
where _fails
    and not exists (
        select 1
        from failing
        where {{ same_class(class_keys, "class_results", "failing") }}
    )
