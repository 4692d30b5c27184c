-- builds: regions
-- reads: located, nodes, labels_<column>
-- one row: region of the recoding, in which all rows have the same labels: the labels and their losses
with parts as (
    select
        row_number() over () as _region,
        *
    from (
        select distinct * exclude (_cell)
        from located
    ) as shown
),

{# with all keys in one relation, each look-up finds one row in any order of the joins #}
levelled as materialized (
    select
        parts.*,
        {% for attribute in attributes %}
        nodes._level_{{ attribute.number }}{{ "," if not loop.last }}
        {% endfor %}
    from parts
    join nodes
        on parts._pass = nodes._visit
),

labelled as (
    select
        levelled.* exclude ({% for attribute in attributes %}_level_{{ attribute.number }}{{ ", " if not loop.last }}{% endfor %}),
        {% for attribute in attributes %}
        {% set number = attribute.number %}
        labels_{{ number }}.label as {{ attribute.name | ident }},
        labels_{{ number }}.level as _level_{{ number }},
        labels_{{ number }}.level = 0 as _is_value_{{ number }},
        labels_{{ number }}.loss as _loss_{{ number }},
        labels_{{ number }}.loss as _leaf_loss_{{ number }},
        labels_{{ number }}._rows as _label_rows_{{ number }}{{ "," if not loop.last }}
        {% endfor %}
    from levelled
    {% for attribute in attributes %}
    {% set number = attribute.number %}
    join {{ ("labels_" ~ attribute.name) | ident }} as labels_{{ number }}
        on labels_{{ number }}.level = levelled._level_{{ number }}
        and labels_{{ number }}.code = levelled._code_{{ number }}
    {% endfor %}
)

select
    *,
    dense_rank() over (order by {% for attribute in attributes %}{{ attribute.name | ident }}{{ ", " if not loop.last }}{% endfor %}) as _class_number
from labelled
