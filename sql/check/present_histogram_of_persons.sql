-- builds: present_histogram_<column>
-- reads: counts
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
