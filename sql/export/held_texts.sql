-- builds: held_texts
-- reads: nothing; the spec lists its lines
-- one row: text of a value of a type
select text
from (
    values
        {% for text in texts %}
        ({{ text | literal }}){{ "," if not loop.last }}
        {% endfor %}
) as listed (text)
where text = cast(try_cast(text as {{ type }}) as varchar)
