-- builds: failing_classes
-- reads: written_classes (perhaps written_histogram_<column>, reference_<column>, entropy_comparisons)
-- one row: class of the written file that does not satisfy the requirement
with final as (
{% include class_results_template +%}
)

select _rows
from final
where _fails
order by _rows
