-- builds: population_file
-- reads: the input
-- one row: row of the population, as read
{% include "dataset/source.sql" %}
