-- builds: example_records
-- reads: records, recoding_<column> (perhaps class_results, region_assignments, regions)
-- one row: record of a random sample, its cells in the input, then its cells in the release, and whether it is suppressed
{% from "release/labelled.jinja" import fails, labelled with context %}
{% set read = (columns | map(attribute="name") | list + quasi_identifiers | list) | unique | list %}
with examples as (
    select {{ read | idents }}
    from records
    -- without the outer hash, similar rows come next to each other
    order by hash(hash({{ columns | map(attribute="name") | idents }}))
    limit {{ most }}
)

select distinct
    {% for column in columns %}
    cast(records.{{ column.name | ident }} as varchar) as {{ ("before_" ~ loop.index) | ident }},
    {% endfor %}
    {% for column in columns %}
    cast({{ column.sql }} as varchar) as {{ ("after_" ~ loop.index) | ident }},
    {% endfor %}
    {{ fails() | indent if suppresses else "false" }} as is_suppressed
from {{ labelled("examples", name="records") }}
order by all
