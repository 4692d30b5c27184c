-- builds: comparisons
-- reads: nothing; the figures come from the comparison
-- one row: earlier release with which a registered release was compared
{% for pair in pairs %}
select
    {{ pair.number }} as _number,
    cast({{ pair.smallest | literal }} as bigint) as smallest
{% if not loop.last %}
union all
{% endif %}
{% endfor %}
