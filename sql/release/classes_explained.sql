-- builds: classes_explained
-- reads: class_results (perhaps labels_<column>, regions)
-- one row: equivalence class: its labels, its rows (and persons), whether it is released or suppressed, and why it is suppressed
select
    {% for name in quasi_identifiers %}
    {{ ("regions" if regional else "labels_" ~ name) | ident }}.{{ (name if regional else "label") | ident }} as {{ name | ident }},
    {% endfor %}
    class_results._rows,{{ "\n    class_results._persons," if persons }}
    case when class_results._fails then 'suppressed' else 'released' end as _verdict,
    case
        when not class_results._fails then null
        {% for column, reason in reasons.items() %}
        when class_results.{{ column }} then {{ reason | literal }}
        {% endfor %}
        else {{ last_reason | literal }}
    end as _reason
from class_results
{% if regional %}
join (
    select distinct
        _class_number,
        {{ quasi_identifiers | idents | indent }}
    from regions
) as regions
    on class_results._class_number = regions._class_number
{% endif %}
{% for name, key in keys.items() %}
join {{ ("labels_" ~ name) | ident }}
    on {{ ("labels_" ~ name) | ident }}.level = {{ levels[name] }}
    and {{ ("labels_" ~ name) | ident }}.code = class_results.{{ key | ident }}
{% endfor %}
order by
    class_results._fails,
    class_results._rows desc
