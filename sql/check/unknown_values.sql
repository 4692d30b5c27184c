-- builds: unknown_values
-- reads: source_distributions, values_<column>
-- one row: sensitive value of the file that the source has not, has in fewer rows, or has with another number of labels
select present.value
from {{ ("values_" ~ column) | ident }} as present
left join source_distributions as saved
    on present.text is not distinct from saved.value
    and saved.sensitive = {{ column | literal }}
where saved._rows is null
    or saved._rows < present._rows
    or len(saved.labels) <> {{ height + 1 if height else 0 }}
