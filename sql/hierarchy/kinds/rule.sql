-- builds: lookup_<column>
-- reads: values_<column>
-- one row: value of the data that a rule covers: its text, and its label on each level
with present as (
    select
        text,
        {{ cell }}
    from {{ ("values_" ~ column) | ident }}
    where value is not null
        and not missing
),

final as (
    select
        text as value,
        {% for label in labels %}
        {{ label }} as level_{{ loop.index0 }}{{ "," if not loop.last }}
        {% endfor %}
    from present{{ "\n    where %s" % condition if condition }}
)

select * from final
{% for level in ranged %}
{{ "where" if loop.first else "    and" }} level_{{ level }} is not null
{% endfor %}
