-- builds: lookup_<column>
-- reads: values_<column>
-- one row: value of the data: its text, and the label of the range that contains it
select
    text as value,
    case
        when {{ value }} is null then null
        {% for beyond, label in whens %}
        when {{ value }} < {{ beyond }} then {{ label }}
        {% endfor %}
        else {{ rest }}
    end as level_{{ level }}
from {{ ("values_" ~ column) | ident }}
where {{ value }} is not null
    {% for condition in conditions %}
    and {{ value }} {{ condition }}
    {% endfor %}
