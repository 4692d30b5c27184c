-- builds: possible_values
-- reads: present_classes or class_results or written_classes or combinations, counts or class_members or expected_members or combination_entities, present_histogram_<column> or class_values_<column> or expected_histogram_<column> or value_entities_<column>, repeated_persons (perhaps sensitive_<column>, value_entities_<column>, combination_entities, values_<column>, distribution_<column>, entropy_comparisons)
-- one row: person with rows in several classes of a file, or in several released classes of a node or a local recoding: the values of each constant sensitive column that all these classes have, and whether they are too few
{% from "privacy/classes.jinja" import members_of with context %}
{% from "privacy/same_class.jinja" import same_class %}
with {% if sets %}{% include "privacy/class_results.jinja" +%},
{% if not adversaries %}

members as (
    {{ members_of(sets, class_keys) | indent }}
),
{% endif %}

{% endif %}
numbered as materialized (
    select
        {{ class_keys | idents | indent }},
        row_number() over () as _number
    from {{ relation }}{{ "\n    where not _fails" if have_results }}
),

placed as (
    select distinct
        members._entity,
        numbered._number
    from {{ members }} as members
    join numbered
        on {{ same_class(class_keys, "members", "numbered") | indent }}
    where members._entity is not null
),

trails as materialized (
    select
        _entity,
        list(_number order by _number) as _classes
    from placed
    group by _entity
    having count(*) > 1
),

{% for column in possible %}
trails_{{ loop.index }} as (
    select distinct trails._classes
    from trails
    join repeated_persons
        on trails._entity = repeated_persons._entity
    where repeated_persons._constant_{{ column.number }}
),

shared_{{ loop.index }} as (
    select
        places._classes,
        histogram._value
    from (
        select
            _classes,
            unnest(_classes) as _number
        from trails_{{ loop.index }}
    ) as places
    join numbered
        on places._number = numbered._number
    join {{ column.histogram | ident }} as histogram
        on {{ same_class(class_keys, "histogram", "numbered") | indent }}
    where {{ "histogram._value in (select code from %s where text is not null)" % (("values_" ~ column.name) | ident) if column.is_coded else "histogram._value <> %s" % (known_text | literal) }}
    group by
        places._classes,
        histogram._value
    having count(distinct places._number) = len(places._classes)
),

possible_{{ loop.index }} as (
    select
        trails_{{ loop.index }}._classes,
        count(shared_{{ loop.index }}._value) as _possible
    from trails_{{ loop.index }}
    left join shared_{{ loop.index }}
        on trails_{{ loop.index }}._classes = shared_{{ loop.index }}._classes
    group by
        trails_{{ loop.index }}._classes
),

{% endfor %}
final as (
    select
        trails._entity,
        repeated_persons._rows,
        {% for column in possible %}
        case when repeated_persons._constant_{{ column.number }} then possible_{{ loop.index }}._possible end as _possible_{{ loop.index }},
        {% endfor %}
        {% for column in possible %}
        coalesce(repeated_persons._constant_{{ column.number }} and possible_{{ loop.index }}._possible < {{ column.least }}, false){{ " or" if not loop.last }}
        {% endfor %}
        as _fails
    from trails
    join repeated_persons
        on trails._entity = repeated_persons._entity
    {% for column in possible %}
    left join possible_{{ loop.index }}
        on trails._classes = possible_{{ loop.index }}._classes
    {% endfor %}
)

select * from final
