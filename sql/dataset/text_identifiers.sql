-- builds: text_identifiers
-- reads: records or release
-- one row: kind of direct identifiers inside the text of a column, most frequent first: the filled cells of the column, those that hold any kind, and those that hold this one
{% from "dataset/text_identifiers.jinja" import identified_texts, kinds with context %}
with texts as (
    select
        cast({{ column | ident }} as varchar) as _shown,
        cast(count(*) as bigint) as _cells
    from {{ relation }}
    where {{ column | ident }} is not null
    group by {{ column | ident }}
),

{{ identified_texts() }},

held as (
    select
        unnest({{ kinds | list | literal }}) as kind,
        unnest([{% for kind in kinds %}sum(_cells) filter (where _kind_{{ loop.index0 }}){{ ", " if not loop.last }}{% endfor %}]) as kind_cells,
        sum(_cells) as identified
    from identified
)

select
    kind,
    (select cast(sum(_cells) as bigint) from texts) as cells,
    cast(identified as bigint) as identified,
    cast(kind_cells as bigint) as kind_cells
from held
where kind_cells > 0
order by kind_cells desc, kind
