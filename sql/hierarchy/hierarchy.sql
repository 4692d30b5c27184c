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
        present.code is not null as is_leaf,
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
        not present.missing as is_leaf,
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

leaves as (
    select
        * exclude (is_leaf),
        -- missing values at the top are no leaves; but beside a single value they are, since the top hides who has it
        is_leaf or (is_missing and (select count(*) from placed where is_leaf) = 1) as is_leaf
    from placed
),

total as (
    select
        count(*) filter (where is_leaf) as domain,
        greatest(1, domain) as most,
        cast(greatest(1, domain - 1) as double) as span
    from leaves
),
{% for level in range(lowest, height + 1) %}

groups_{{ level }} as (
    select
        level_{{ level }} as label,
        greatest(1, count(*) filter (where is_leaf)) as leaves
    from leaves
    group by level_{{ level }}
),
{% endfor %}

final as (
    select
        leaves.value,
        {% for level in range(height + 1) %}
        leaves.level_{{ level }},
        {% endfor %}
        {% for level in range(height + 1) %}
        case when leaves.is_missing then total.most else {{ "groups_%d.leaves" % level if level >= lowest else 1 }} end as leaves_{{ level }},
        {% endfor %}
        {% for level in range(height + 1) %}
        (leaves_{{ level }} - 1) / total.span as loss_{{ level }},
        {% endfor %}
        total.domain
    from leaves
    cross join total
    {% for level in range(lowest, height + 1) %}
    join groups_{{ level }}
        on groups_{{ level }}.label is not distinct from leaves.level_{{ level }}
    {% endfor %}
)

select * from final
order by value nulls last
