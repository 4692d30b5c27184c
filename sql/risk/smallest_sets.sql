-- builds: smallest_sets
-- reads: special_uniques
-- one row: number of columns, with the records of which a smallest set that singles them out has so many; and with each column (one bit) those that have it in such a set
with smallest as (
    select
        _class,
        min(bit_count(mask)) as columns
    from special_uniques
    group by _class
),

sets as (
    select
        special_uniques._class,
        smallest.columns,
        special_uniques.mask
    from special_uniques
    join smallest
        on special_uniques._class = smallest._class
        and bit_count(special_uniques.mask) = smallest.columns
)

select
    columns,
    count(distinct _class) as records,
    {% for column in columns %}
    count(distinct _class) filter (where mask & {{ column }} > 0) as {{ ("with_%d" % loop.index) | ident }}{{ "," if not loop.last }}
    {% endfor %}
from sets
group by columns
order by columns
