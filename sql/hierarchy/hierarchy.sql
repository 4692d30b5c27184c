-- builds: hierarchy_<column>
-- reads: lookup_<column>, values_<column>
-- one row: value, with its label on each level, and the number of leaves and the loss of each label
with listed as (
    select
        lookup.value,
        {% for level in range(height + 1) %}
        lookup.level_{{ level }},
        {% endfor %}
        {% if domain == "data" %}
        present.text is not null as is_leaf,
        {% else %}
        true as is_leaf,
        {% endif %}
        false as is_missing
    from {{ ("lookup_" ~ column) | ident }} as lookup
    {% if domain == "data" %}
    left join {{ ("values_" ~ column) | ident }} as present
        on lookup.value is not distinct from present.text and not present.missing
    {% endif %}
),

top as (
    select coalesce(max(level_{{ height }}), {{ top | literal }}) as label
    from listed
),

added as (
    select
        present.text as value,
        {% for level in range(height + 1) %}
        {{ "top.label" if level == height else "case when present.missing then top.label else present.text end" }} as level_{{ level }},
        {% endfor %}
        {{ "not present.missing" if domain == "data" else "false" }} as is_leaf,
        present.missing as is_missing
    from {{ ("values_" ~ column) | ident }} as present
    cross join top
    where present.missing
        or (present.text is null and not exists (select 1 from listed where listed.value is null))
),

placed as (
    select *
    from listed
    where not exists (select 1 from added where added.is_missing and added.value is not distinct from listed.value)
    union all
    select * from added
),

total as (
    select coalesce(sum(cast(is_leaf as integer)), 0) as domain
    from placed
),
{% for level in range(1, height + 1) %}

groups_{{ level }} as (
    select
        level_{{ level }} as label,
        greatest(1, sum(cast(is_leaf as integer))) as leaves
    from placed
    group by level_{{ level }}
),
{% endfor %}

final as (
    select
        placed.value,
        {% for level in range(height + 1) %}
        placed.level_{{ level }},
        {% endfor %}
        {% for level in range(height + 1) %}
        cast(case when placed.is_missing then greatest(1, total.domain) else {{ "groups_%d.leaves" % level if level else 1 }} end as bigint) as leaves_{{ level }},
        {% endfor %}
        {% for level in range(height + 1) %}
        case
            when total.domain <= 1 then 0.0
            when placed.is_missing then 1.0
            else (leaves_{{ level }} - 1) / cast(total.domain - 1 as double)
        end as loss_{{ level }},
        {% endfor %}
        cast(total.domain as bigint) as domain
    from placed
    cross join total
    {% for level in range(1, height + 1) %}
    join groups_{{ level }}
        on groups_{{ level }}.label is not distinct from placed.level_{{ level }}
    {% endfor %}
)

select * from final
order by value nulls last
