-- builds: histogram_of_persons
-- reads: counts or expected_rows (perhaps values_<column>)
-- one row: set of quasi-identifier values or labels, and sensitive value, with the persons who have it, and the rows in the source
{% from "dataset/numbers.jinja" import text_of %}
{% from "privacy/persons.jinja" import distinct_persons %}
{% set code = "_value_%d" % number %}
{% set value = code if is_coded else text_of(code, floating) %}
select
    {{ keys | idents }},
    {{ value }} as _value,{{ "\n    cast(count(*) as bigint) as _file_rows," if not is_coded }}
    {{ distinct_persons(1) }} as _value_rows
from {{ relation }}
{% if is_coded %}
where _attribute = {{ number }}
{% endif %}
group by
    {{ keys | idents }},
    {{ value }}
{% if known_value is not none %}
union all
-- the persons with any value that is not missing
select
    {{ keys | idents }},
    {{ known_value | literal }} as _value,{{ "\n    0 as _file_rows," if not is_coded }}
    {{ distinct_persons(1) }} as _value_rows
from {{ relation }}
where {{ "_attribute = %d and %s in (select code from %s where text is not null)" % (number, code, ("values_" ~ column) | ident) if is_coded else code ~ " is not null" }}
group by
    {{ keys | idents }}
{% endif %}
