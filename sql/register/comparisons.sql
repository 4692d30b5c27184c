-- builds: comparisons
-- reads: nothing; the figures come from the comparison
-- one row: earlier release with which a registered release was compared
select
    unnest({{ pairs | map(attribute="number") | list | literal }}) as _number,
    unnest(cast({{ pairs | map(attribute="smallest") | list | literal }} as bigint[])) as smallest
