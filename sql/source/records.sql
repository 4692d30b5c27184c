-- builds: records
-- reads: source
-- one row: input row that takes part, after the rule for missing values
select
    {% for column in columns %}
    {{ column | ident }}{{ "," if not loop.last }}
    {% endfor %}
from source
{% for column, missing in dropped %}
{{ "where" if loop.first else "  and" }} {% if missing.tokens %}({% if missing.as_text %}cast({{ column | ident }} as varchar){% else %}{{ column | ident }}{% endif %} not in ({% for token in missing.tokens %}{{ token | literal }}{{ ", " if not loop.last }}{% endfor %}){% if not missing.null %} or {{ column | ident }} is null{% endif %}){% else %}{{ column | ident }} is not null{% endif +%}
{% endfor %}
