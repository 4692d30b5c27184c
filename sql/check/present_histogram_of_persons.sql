-- builds: present_histogram_<column>
-- reads: counts (perhaps values_<column>)
-- one row: set of quasi-identifier values in the file, and sensitive value, as codes, with the persons who have it
select
    {{ quasi_identifiers | idents }},
    _value_{{ number }} as _value,
    count(distinct _entity) + max(case when _entity is null then 1 else 0 end) as _value_rows
from counts
where _attribute = {{ number }}
group by
    {{ quasi_identifiers | idents }},
    _value_{{ number }}
{% if known_value is not none %}
union all
-- the persons with any value that is not missing
select
    {{ quasi_identifiers | idents("counts") }},
    {{ known_value }} as _value,
    count(distinct counts._entity) + max(case when counts._entity is null then 1 else 0 end) as _value_rows
from counts
join {{ ("values_" ~ column) | ident }} as present
    on counts._value_{{ number }} = present.code
where counts._attribute = {{ number }}
    and present.text is not null
group by
    {{ quasi_identifiers | idents("counts") }}
{% endif %}
