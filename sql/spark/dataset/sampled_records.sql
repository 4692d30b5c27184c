-- builds: sampled_records
-- reads: records
-- one row: input row that takes part, or one of a sample of them: its values that may give others away, and those that must not be
select
    {% for column in kept %}
    {% set name = column.name | backticked %}
    {{ "make_valid_utf8(%s)" % name if column.is_text else name }} as _kept_{{ loop.index0 }}{{ "," if quasi_identifiers or not loop.last }}
    {% endfor %}
    {% for qi in quasi_identifiers %}
    {{ qi | backticked }} as _value_{{ loop.index0 }}{{ "," if not loop.last }}
    {% endfor %}
from records
{% if percent is not none %}
tablesample ({{ percent }} percent) repeatable (1)
{% endif %}
{% if most is not none %}
limit {{ most }}
{% endif %}
