-- builds: similar_classes
-- reads: written_histogram_<column>
-- one row: the release: its classes, and the classes with l distinct values of which fewer than l are at least one hundredth of the interquartile range apart
with numbered as (
    select
        dense_rank() over (order by {% for qi in quasi_identifiers %}{{ qi | ident }}{{ ", " if not loop.last }}{% endfor %}) as _class,
        cast(_value as double) as _number,
        _value_rows
    from {{ ("written_histogram_" ~ column) | ident }}
),

numbers as (
    select
        _number,
        cast(sum(_value_rows) as bigint) as _rows
    from numbered
    where _number is not null
    group by _number
),

reached as (
    select
        _number,
        sum(_rows) over (order by _number) as _cumulative_rows,
        sum(_rows) over () as _all_rows
    from numbers
),

spread as (
    select
        (min(case when _cumulative_rows * 4 >= _all_rows * 3 then _number end) - min(case when _cumulative_rows * 4 >= _all_rows then _number end)) / 100 as _apart
    from reached
),

doubtful as (
    select numbered._class
    from numbered
    cross join spread
    where spread._apart > 0
    group by numbered._class
    having count(*) >= {{ l }}
        and count(distinct floor(numbered._number / spread._apart)) <= {{ 2 * l }}
),

class_values as (
    select numbered.*
    from numbered
    join doubtful
        on numbered._class = doubtful._class
),

{% for step in range(1, l + 1) %}
step_{{ step }} as (
    select
        class_values._class,
        min(class_values._number) as _number
    from class_values
    {% if step > 1 %}
    join step_{{ step - 1 }} as before
        on class_values._class = before._class
    cross join spread
    where class_values._number > before._number
        and class_values._number >= before._number + spread._apart
    {% else %}
    where class_values._number is not null
    {% endif %}
    group by class_values._class
),

{% endfor %}
apart as (
    {% for step in range(1, l + 1) %}
    select _class
    from step_{{ step }}
    union all
    {% endfor %}
    select _class
    from class_values
    where _number is null
),

counted as (
    select
        _class,
        count(*) as _values
    from apart
    group by _class
)

select
    (select max(_class) from numbered) as classes,
    count(*) as similar_classes
from counted
where _values < {{ l }}
