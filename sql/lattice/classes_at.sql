-- builds: classes_at
-- reads: combinations
-- one row: equivalence class of a node, as label codes
{% from "lattice/measures.jinja" import totals with context %}
select
    {{ keys | idents }},
    {{ totals() | indent }}
from combinations
group by
    {{ keys | idents }}
{% if population %}
having sum(_rows) > 0
{% endif %}
