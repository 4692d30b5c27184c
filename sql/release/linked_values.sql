-- builds: linked_values
-- reads: records, recoding_<column>, verdicts (perhaps placements, regions)
-- one row: the release: the persons whose rows the values of a retained column link, because fewer than k persons have such a value, the size of the smallest group of them with as many rows in the same classes, and the persons in groups smaller than k
{% from "release/labelled.jinja" import labelled, own_label, same_codes with context %}
{% from "release/treatments.jinja" import alike %}
{% from "release/trails.jinja" import sized_trails %}
with cells as (
    select
        *,
        {{ alike(treatment) if treatment else column | ident }} as _shown
    from records
    where {{ column | ident }} is not null
),

shown as (
    select
        {% for qi in known %}
        {{ own_label(qi) }} as {{ qi | ident }},
        {% endfor %}
        cells.{{ entity | ident }} as _person,
        cells._shown
    from cells
    {{ labelled("cells") | indent }}
    where not exists (
        select 1
        from verdicts
        where verdicts._fails
            and {{ "placements._class_number = verdicts._class_number" if regional else same_codes("verdicts") | indent(8) }}
    )
),

holders as (
    select
        _shown as _entity,
        count(distinct _person) + max(case when _person is null then 1 else 0 end) as _weight,
        count(*) > _weight as _links
    from shown
    group by _shown
    having _weight < {{ k }} or not _links
),

{# persons who share a value and have one row each are not linked: each is one of those with one row in the class #}
places as (
    select
        {{ known | idents("shown") | indent }},
        struct_pack(
            _shown := shown._shown,
            _person := case when not holders._links then shown._person end,
            _weight := case when holders._links then holders._weight else 1 end
        ) as _entity,
        count(*) as _rows
    from shown
    join holders
        on shown._shown = holders._entity
    group by all
),

{{ sized_trails(known, "sum(_entity._weight)") }}

select
    cast(coalesce(sum(_persons), 0) as bigint) as persons,
    cast(coalesce(min(_persons), 0) as bigint) as smallest,
    cast(coalesce(sum(_persons) filter (where _persons < {{ k }}), 0) as bigint) as below
from sizes
