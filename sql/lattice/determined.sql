-- builds: determined
-- reads: combinations
-- one row: pair of quasi-identifiers, by its number: the rows, those whose value of the first is in several rows, the number of these values, the rows beside which the second has one value, and the rows of its most frequent value
with counted as (
    select *
    from combinations
    limit {{ most }}
),

pairs as (
    {% for first, second in pairs %}
    select
        {{ loop.index0 }} as pair,
        {{ first | ident }} as first_code,
        {{ second | ident }} as second_code,
        sum(_rows) as _rows
    from counted
    group by
        {{ first | ident }},
        {{ second | ident }}
    {% if not loop.last %}
    union all
    {% endif %}
    {% endfor %}
),

firsts as (
    select
        pair,
        first_code,
        count(*) as seconds,
        sum(_rows) as _rows
    from pairs
    group by
        pair,
        first_code
),

seconds as (
    select
        pair,
        second_code,
        sum(_rows) as _rows
    from pairs
    group by
        pair,
        second_code
)

select
    firsts.pair,
    cast(sum(firsts._rows) as bigint) as _rows,
    cast(coalesce(sum(firsts._rows) filter (where firsts._rows > 1), 0) as bigint) as repeated,
    count(*) filter (where firsts._rows > 1) as repeated_values,
    cast(coalesce(sum(firsts._rows) filter (where firsts._rows > 1 and firsts.seconds = 1), 0) as bigint) as determined,
    cast(max(frequent._rows) as bigint) as most_frequent
from firsts
join (
    select
        pair,
        max(_rows) as _rows
    from seconds
    group by pair
) as frequent
    on firsts.pair = frequent.pair
group by firsts.pair
order by firsts.pair
