-- builds: failing_classes
-- reads: written_classes
-- one row: class of the written file that does not satisfy the requirement
with final as (
{% include model_template +%}
)

select _rows
from final
where _fails
order by _rows
