-- builds: group_members
-- reads: hierarchy_<column>
-- one row: label of a group that does not name its members: the first of them, and how many more it has
select
    label,
    list_slice(list(value order by value), 1, {{ most }}) as members,
    greatest(0, count(*) - {{ most }}) as more
from (
    {% for level in range(1, height) %}
    select
        level_{{ level }} as label,
        value
    from {{ ("hierarchy_" ~ column) | ident }}
    where level_{{ level }} = {{ ("group %d of %s" % (level, column)) | literal }}
    {{ "union all" if not loop.last }}
    {% endfor %}
) as grouped
group by label
order by label
