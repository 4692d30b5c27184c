-- builds: example_values
-- reads: first_values
-- one row: column and distinct value of its first rows, as text
{% for column in columns %}
select
    {{ loop.index0 }} as attribute,
    cast(value as varchar) as text
from (
    select distinct {{ column | ident }} as value
    from first_values
    where {{ column | ident }} is not null
    limit {{ examples }}
) as examples_{{ loop.index0 }}
{% if not loop.last %}
union all
{% endif %}
{% endfor %}
