-- builds: linked_values
-- reads: records, recoding_<column>, class_results (perhaps region_assignments, regions)
-- one row: the release: the persons with a value of a retained column that fewer than k persons have, the size of the smallest group of persons with as many rows in the same classes, and the persons with such a value in groups smaller than k
{% from "release/labelled.jinja" import fails, labelled, own_label with context %}
{% from "release/treatments.jinja" import alike %}
{% from "release/trails.jinja" import counted_trails %}
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
    where not {{ fails() | indent }}
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

-- persons who share a value and have one row each are not linked: each is one of those with one row in the class;
-- the rows of a value in a class may all be of one of those who have the value
places as (
    select
        {{ known | idents("shown") | indent }},
        struct_pack(_shown := shown._shown, _person := case when not holders._links then shown._person end) as _entity,
        case when holders._holders >= {{ k }} then 0 when holders._links then holders._holders else 1 end as _few,
        count(*) as _rows,
        count(distinct shown._person) as _persons
    from shown
    join holders
        on shown._shown = holders._shown
    group by all
),

{{ counted_trails(known, k) }}
