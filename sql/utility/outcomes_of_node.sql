-- builds: outcomes
-- reads: combinations, class_results, labels_<column>
-- one row: distinct set of quasi-identifier values, as codes of their lowest labels, with their released labels, the rows of their class, and whether they are released
select
    {% for attribute in attributes %}
    {% set shown = "shown_%d" % attribute.number %}
    combinations.{{ attribute.least_key | ident }} as {{ attribute.name | ident }},
    {{ shown }}.label as _label_{{ attribute.number }},
    {{ shown }}.loss as _loss_{{ attribute.number }},
    {% endfor %}
    class_results._fails,
    class_results._rows as _class_rows,
    cast(combinations._rows as bigint) as _rows
from combinations
join class_results
    on {% for attribute in attributes %}combinations.{{ attribute.key | ident }} = class_results.{{ attribute.key | ident }}{{ "\n    and " if not loop.last }}{% endfor +%}
{% for attribute in attributes %}
{% set shown = "shown_%d" % attribute.number %}
join {{ ("labels_" ~ attribute.name) | ident }} as {{ shown }}
    on {{ shown }}.level = {{ attribute.level }}
    and {{ shown }}.code = combinations.{{ attribute.key | ident }}
{% endfor %}
where combinations._rows > 0
