-- builds: combinations
-- reads: entity_places
-- one row: distinct set of quasi-identifier values, as label codes for each level, with its rows
{% from "privacy/persons.jinja" import people %}
select
    * exclude ({{ people(persons, separator=", ") }}, _places, _rows{{ ", _k" if own_k }}),
    {% if own_k %}
    max(_k) as _k,
    {% endif %}
    count(*) filter (where _places = 1) as _persons,
    cast(sum(_rows) as bigint) as _rows
from entity_places
group by all
