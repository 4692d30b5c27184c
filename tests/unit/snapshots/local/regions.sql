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

levelled as materialized (
    select
        parts.*,
        nodes._level_1,
        nodes._level_2,
        nodes._level_3
    from parts
    join nodes
        on parts._pass = nodes._visit
),

labelled as (
    select
        levelled.* exclude (_level_1, _level_2, _level_3),
        labels_1.label as "age",
        labels_1.level as _level_1,
        labels_1.level = 0 as _is_value_1,
        labels_1.loss as _loss_1,
        labels_1.loss as _leaf_loss_1,
        labels_1._rows as _under_1,
        labels_2.label as "sex",
        labels_2.level as _level_2,
        labels_2.level = 0 as _is_value_2,
        labels_2.loss as _loss_2,
        labels_2.loss as _leaf_loss_2,
        labels_2._rows as _under_2,
        labels_3.label as "town",
        labels_3.level as _level_3,
        labels_3.level = 0 as _is_value_3,
        labels_3.loss as _loss_3,
        labels_3.loss as _leaf_loss_3,
        labels_3._rows as _under_3
    from levelled
    join "labels_age" as labels_1
        on labels_1.level = levelled._level_1
        and labels_1.code = levelled._code_1
    join "labels_sex" as labels_2
        on labels_2.level = levelled._level_2
        and labels_2.code = levelled._code_2
    join "labels_town" as labels_3
        on labels_3.level = levelled._level_3
        and labels_3.code = levelled._code_3
)

select
    *,
    dense_rank() over (order by "age", "sex", "town") as _class_number
from labelled
