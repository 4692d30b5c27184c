-- builds: regions
-- reads: region_labels_<column>
-- one row: region of the recoding, in which all rows have the same labels: the labels and their losses
{% set first = ("region_labels_" ~ parts[0]) | ident %}
select
    {{ first }}.*,
    {% for name in parts[1:] %}
    {{ ("region_labels_" ~ name) | ident }}.* exclude (_region),
    {% endfor %}
    dense_rank() over (order by {{ attributes | map(attribute="name") | map("ident") | join(", ") }}) as _class_number
from {{ first }}
{% for name in parts[1:] %}
join {{ ("region_labels_" ~ name) | ident }}
    on {{ first }}._region = {{ ("region_labels_" ~ name) | ident }}._region
{% endfor %}
