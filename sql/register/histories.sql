-- builds: histories
-- reads: current_classes, the register (perhaps values_<column>)
-- one row: distinct set of the values by which releases are compared, or person, with its classes in the new release and in each earlier one; NULL if a release does not show it
{% from "privacy/same_class.jinja" import same_class %}
with current as (
    {% if of_persons %}
    select distinct
        _person,
        md5_number({{ salt | literal }} || _person) as _hash,
        _class
    {% else %}
    select *
    {% endif %}
    from current_classes
){% for release in releases %},

earlier_{{ release.number }} as (
    {% if of_persons %}
    select
        _person as _hash,
        _class,
        null as _rows
    from {{ register | ident }}.main.persons_{{ release.number }}
    where _class is not null
    {% else %}
    select
        {% for column in release.columns %}
        {{ column.relation | ident }}.{{ "code" if column.is_coded else "text" }} as {{ column.name | ident }},
        {% endfor %}
        value_sets._class,
        value_sets._rows
    from {{ register | ident }}.main.value_sets_{{ release.number }} as value_sets
    {% for column in release.columns %}
    {% set texts = "texts_%d" % loop.index if column.is_coded else column.relation %}
    join {{ register | ident }}.main.texts_{{ release.number }} as {{ texts | ident }}
        on {{ texts | ident }}._column = {{ loop.index }}
        and value_sets._code_{{ loop.index }} = {{ texts | ident }}.code
    {% if column.is_coded %}
    join {{ column.relation | ident }}
        on {{ texts | ident }}.text is not distinct from {{ column.relation | ident }}.text
    {% endif %}
    {% endfor %}
    {% if release.has_withheld %}
    union all
    select
        {% for column in release.columns %}
        {{ "%s.code" % (column.relation | ident) if column.is_coded else "withheld._text_%d" % loop.index }} as {{ column.name | ident }},
        {% endfor %}
        null as _class,
        withheld._rows
    from {{ register | ident }}.main.withheld_{{ release.number }} as withheld
    {% for column in release.columns if column.is_coded %}
    join {{ column.relation | ident }}
        on withheld._text_{{ column.number }} is not distinct from {{ column.relation | ident }}.text
    {% endfor %}
    {% endif %}
    {% endif %}
){% endfor %}


select
    current.*,
    {% for release in releases %}
    earlier_{{ release.number }}._class as _class_{{ release.number }},
    earlier_{{ release.number }}._rows as _rows_{{ release.number }}{{ "," if not loop.last }}
    {% endfor %}
from current
{% for release in releases %}
left join earlier_{{ release.number }}
    on {{ same_class(release.columns | map(attribute="name"), "current", "earlier_%d" % release.number) }}
{% endfor %}
