-- builds: source_file
-- reads: the input
-- one row: input row, as read from the files themselves
{% include "dataset/source.sql" %}
