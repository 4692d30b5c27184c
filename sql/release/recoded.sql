-- builds: recoded
-- reads: records, recoding_<column> (perhaps region_assignments, regions, class_results, aggregates, texts_<column>)
-- one row: row to be released, with the labels of the recoding, or masked if its class fails
{% from "dataset/lookups.jinja" import joins %}
{% from "release/labelled.jinja" import aggregated, fails, labelled, same_codes with context %}
select
    {% for name, value in selected %}
    {{ value }} as {{ name | ident }}{{ "," if not loop.last }}
    {% endfor %}
from {{ labelled("records", leaders) }}{{ "\n" ~ joins("records", "texts", texts, "value") if texts }}{{ "\n" ~ aggregated() if aggregates }}
{% if is_masked %}
left join (
    select *
    from class_results
    where _fails
) as masked
    on {{ same_codes("masked") }}
{% elif suppresses %}
where not {{ fails() }}
{% endif %}
