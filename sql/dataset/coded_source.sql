-- builds: source
-- reads: source_file
-- one row: input row, with the codes of missing values as NULL
select
    {% for column in columns %}
    {{ "case when cast(%s as varchar) not in (%s) then %s end as " % (column | ident, codes[column] | map("literal") | join(", "), column | ident) if column in codes }}
        {{- column | ident }}{{ "," if not loop.last }}
    {% endfor %}
from source_file
