-- builds: released_sample
-- reads: sampled_records, values_<column>, recoding_<column> (perhaps class_results, region_assignments, regions)
-- one row: released row of the sample: its retained cells, and for each quasi-identifier the code of its value and its released label
{% from "release/labelled.jinja" import in_class, own_label, placed with context %}
{% macro shown(qi) -%}
{{ "case when failing._fails then %s.top else %s end" % (("recoding_" ~ qi) | ident, own_label(qi)) if keep_suppressed_rows and suppresses else own_label(qi) }}
{%- endmacro %}
select
    {% for column in columns %}
    {% if column.leader is none %}
    sampled_records._retained_{{ column.number }},
    {% else %}
    case
        when {{ shown(quasi_identifiers[column.leader]) }} is not distinct from cast(sampled_records._value_{{ column.leader }} as varchar)
            then sampled_records._retained_{{ column.number }}
    end as _retained_{{ column.number }},
    {% endif %}
    {% endfor %}
    {% for qi in quasi_identifiers %}
    {{ ("values_" ~ qi) | ident }}.code as _code_{{ loop.index0 }},
    {{ shown(qi) }} as _shown_{{ loop.index0 }}{{ "," if not loop.last }}
    {% endfor %}
from sampled_records
{% for qi in quasi_identifiers %}
join {{ ("values_" ~ qi) | ident }}
    on sampled_records._value_{{ loop.index0 }} is not distinct from {{ ("values_" ~ qi) | ident }}.value
join {{ ("recoding_" ~ qi) | ident }}
    on sampled_records._value_{{ loop.index0 }} is not distinct from {{ ("recoding_" ~ qi) | ident }}.value
{% endfor %}
{% if regional %}
{{ placed() }}
join regions
    on region_assignments._region = regions._region
{% endif %}
{% if suppresses %}
left join (
    select *
    from class_results
    where _fails
) as failing
    on {{ in_class("failing") }}
{% if not keep_suppressed_rows %}
where failing._fails is null
{% endif %}
{% endif %}
