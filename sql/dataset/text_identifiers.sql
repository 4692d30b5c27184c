-- builds: text_identifiers
-- reads: records or release
-- one row: kind of direct identifiers inside the text of a column, most frequent first: the filled cells of the column, those that hold any kind, and those that hold this one
{% from "dataset/text_identifiers.jinja" import identified_texts, kinds with context %}
with texts as (
    {% for column, least_words in columns.items() %}
    select
        {{ loop.index0 }} as column_number,
        cast({{ column | ident }} as varchar) as _shown,
        cast(count(*) as bigint) as _cells,
        {{ least_words }} as _least_words
    from {{ relation }}
    where {{ column | ident }} is not null
    group by {{ column | ident }}
    {{ "union all" if not loop.last }}
    {% endfor %}
),

{{ identified_texts() }},

filled as (
    select
        column_number,
        sum(_cells) as cells
    from texts
    group by column_number
),

held as (
    select
        column_number,
        unnest({{ kinds | list | literal }}) as kind,
        unnest([{% for kind in kinds %}sum(_cells) filter (where _kind_{{ loop.index0 }}){{ ", " if not loop.last }}{% endfor %}]) as kind_cells,
        sum(_cells) as identified
    from identified
    group by column_number
)

select
    held.column_number,
    kind,
    cast(cells as bigint) as cells,
    cast(identified as bigint) as identified
from held
join filled
    on held.column_number = filled.column_number
where kind_cells > 0
order by held.column_number, kind_cells desc, kind
