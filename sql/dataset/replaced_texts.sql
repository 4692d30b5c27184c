-- builds: replaced_texts_<column>
-- reads: source or offered_texts
-- one row: text of the column that is released as another text or, if that still holds direct identifiers, as NULL; with its cells
{% from "dataset/text_identifiers.jinja" import identified_texts with context %}
with texts as (
    select
        cast({{ text }} as varchar) as _text,
        cast({{ shown }} as varchar) as _shown,
        cast({{ rows }} as bigint) as _cells,
        1 as _least_words
    from {{ relation }}
    where {{ text }} is not null
    group by all
),

{{ identified_texts() }}

select
    texts._text,
    case when identified._text is null then texts._shown end as _shown,
    texts._cells
from texts
left join identified
    on texts._text = identified._text
where identified._text is not null
    or texts._shown <> texts._text
