-- builds: verdicts
-- reads: placements (perhaps regions, class_members, cell_entities, class_values_<column>, shares_<column>, entropy_comparisons)
-- one row: class of a local recoding, by its number, with its rows and whether it fails
{% from "local_recoding/classes_of.jinja" import classes_of with context %}
with classes as (
    {{ classes_of("placements", class_keys) | indent }}
),
{% if adversaries %}

labelled_classes as (
    select
        classes.*,
        {{ quasi_identifiers | idents("labels") | indent(8) }}
    from classes
    join (
        select distinct
            _class_number,
            {{ quasi_identifiers | idents | indent(12) }}
        from regions
    ) as labels
        on classes._class_number = labels._class_number
),
{% endif %}

verdicts as (
{% with classes = "labelled_classes" if adversaries else classes %}
{% include verdicts_template +%}
{% endwith %}
)

select * from verdicts
