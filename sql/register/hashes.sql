-- builds: hashes
-- reads: records, source or current_classes
-- one row: distinct record or person, as a hash, perhaps with a class; if there are very many, the smallest hashes
select distinct
    md5_number({{ salt | literal }} || {{ text }}) as {{ name }}{{ ",\n    _class" if has_classes }}
from {{ relation }}
{% if most is none %}
where {{ text }} is not null
{% else %}
order by {{ name }}
limit {{ most }}
{% endif %}
