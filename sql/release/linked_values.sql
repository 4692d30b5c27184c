-- builds: linked_values
-- reads: records, recoding_<column>, class_results (perhaps region_assignments, regions)
-- one row: the release: the persons with a value of a retained column that fewer than k persons have, the size of the smallest group of persons with as many rows in the same classes, and the persons with such a value in groups smaller than k
{% from "release/labelled.jinja" import in_class, labelled, own_label with context %}
{% from "release/treatments.jinja" import alike %}
{% from "release/trails.jinja" import numbered_trails %}
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
        coalesce(cast(cells.{{ entity | ident }} as varchar), '') as _person,
        cells._shown
    from {{ labelled("cells") | indent }}
    where not exists (
        select 1
        from class_results
        where class_results._fails
            and {{ in_class("class_results") | indent(8) }}
    )
),

holders as (
    select
        _shown,
        count(distinct _person) as _holders,
        count(*) > _holders as _links
    from shown
    group by _shown
    having _holders < {{ k }} or not _links
),

{# persons who share a value and have one row each are not linked: each is one of those with one row in the class #}
places as (
    select
        {{ known | idents("shown") | indent }},
        struct_pack(
            _shown := shown._shown,
            _person := case when not holders._links then shown._person end,
            _few := case when holders._holders >= {{ k }} then 0 when holders._links then holders._holders else 1 end
        ) as _entity,
        count(*) as _rows,
        count(distinct shown._person) as _persons
    from shown
    join holders
        on shown._shown = holders._shown
    group by all
),

{{ numbered_trails(known, "min(_persons) as _persons") }},

{# the rows of a value in a class may all be of one of those who have the value #}
sizes as (
    select
        sum(_persons) as _persons,
        sum(_entity._few) as _few
    from trails
    group by classes
)

select
    cast(coalesce(sum(_few), 0) as bigint) as persons,
    cast(coalesce(min(_persons) filter (where _few > 0), 0) as bigint) as smallest,
    cast(coalesce(sum(_few) filter (where _persons < {{ k }}), 0) as bigint) as below
from sizes
