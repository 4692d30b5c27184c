-- builds: example_values
-- reads: sampled_values
-- one row: column and distinct value of a sample, as text
{% for column in columns %}
select
    {{ loop.index0 }} as attribute,
    cast(value as varchar) as text
from (
    select distinct {{ column | ident }} as value
    from sampled_values
    where {{ column | ident }} is not null
    limit {{ examples }}
) as examples_{{ loop.index0 }}
{% if not loop.last %}
union all
{% endif %}
{% endfor %}
