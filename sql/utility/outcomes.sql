-- builds: outcomes
-- reads: class_results (perhaps combinations, labels_<column>, region_assignments, regions)
-- one row: distinct set of quasi-identifier values, as codes of their lowest labels, with their released labels, the rows of their class, and whether they are released
{% from "dataset/lookups.jinja" import same_keys %}
select
    {% for attribute in attributes %}
    sets.{{ attribute.least_key | ident }} as {{ attribute.name | ident }},
    {{ attribute.label }} as _label_{{ attribute.number }},
    {{ attribute.loss }} as _loss_{{ attribute.number }},
    {% endfor %}
    class_results._fails,
    class_results._rows as _class_rows,
    cast(sets._rows as bigint) as _rows
from {{ "region_assignments" if regional else "combinations" }} as sets
join class_results
    on {{ same_keys(class_keys, "sets", "class_results") }}
{{ "join regions\n    on sets._region = regions._region" if regional }}
{% for attribute in attributes if attribute.key is defined %}
join {{ ("labels_" ~ attribute.name) | ident }} as shown_{{ attribute.number }}
    on shown_{{ attribute.number }}.level = {{ attribute.level }}
    and shown_{{ attribute.number }}.code = sets.{{ attribute.key | ident }}
{% endfor %}
where sets._rows > 0
