-- builds: region_labels_<column>
-- reads: extents, positions_<column> (perhaps ends_<column>, branches_<column>)
-- one row: region of the recoding, with the labels and losses of some quasi-identifiers
{% from "local_recoding/labelled_partitions.jinja" import labelled with context %}
{{ labelled() }}
