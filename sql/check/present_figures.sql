-- builds: present_figures
-- reads: present_classes (perhaps present_histogram_<column>, distribution_<column>, source_shares_<column>, entropy_comparisons)
-- one row: the file: for each model the minimum and maximum that its classes achieve, and the classes and rows that fail; and the number of classes
with class_results as (
{% include class_results_template +%}
)

select
    {% for model in models %}
    min(_achieved_{{ model.name }}) as least_{{ model.name }},
    max(_achieved_{{ model.name }}) as most_{{ model.name }},
    count(*) filter (where {{ model.fails }}) as failing_classes_{{ model.name }},
    coalesce(sum(_rows) filter (where {{ model.fails }}), 0) as failing_rows_{{ model.name }},
    count(*) filter (where _achieved_{{ model.name }} <= 1) as single_classes_{{ model.name }},
    coalesce(sum(_rows) filter (where _achieved_{{ model.name }} <= 1), 0) as single_rows_{{ model.name }},
    {% endfor %}
    count(*) filter (where {{ doubtful }}) as doubtful,
    {{ "coalesce(max(_k), 0)" if own_k else 0 }} as required_k,
    count(*) as classes,
    coalesce(min(_rows), 0) as smallest,
    coalesce(max(_rows), 0) as largest,
    coalesce(sum(_rows), 0) as _rows,
    coalesce(sum({{ expected }}), 0) as expected
from class_results
{% if left_out %}
where not _suppressed
{% endif %}
