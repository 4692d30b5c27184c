-- builds: histories
-- reads: current_classes, the register
-- one row: person, with one of its classes in the new release and in each earlier release, NULL if the release does not show the person
with current_persons as (
    select distinct
        _person,
        md5_number({{ salt | literal }} || _person) as _hash,
        _class
    from current_classes
)

select distinct
    current_persons._person,
    current_persons._class,
    {% for release in releases %}
    earlier_{{ release.number }}._class as _class_{{ release.number }}{{ "," if not loop.last }}
    {% endfor %}
from current_persons
{% for release in releases %}
left join {{ register | ident }}.main.persons_{{ release.number }} as earlier_{{ release.number }}
    on current_persons._hash = earlier_{{ release.number }}._person
    and earlier_{{ release.number }}._class is not null
{% endfor %}
