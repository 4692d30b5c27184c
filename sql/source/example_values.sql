-- builds: example_values
-- reads: records
-- one row: column and one of the different values of its first rows, as text
{% for column in columns %}
select
    {{ loop.index0 }} as attribute,
    cast(value as varchar) as text
from (
    select distinct value
    from (
        select {{ column | ident }} as value
        from records
        where {{ column | ident }} is not null
        limit {{ rows }}
    ) as first_values_{{ loop.index0 }}
    limit {{ examples }}
) as examples_{{ loop.index0 }}
{% if not loop.last %}
union all
{% endif %}
{% endfor %}
