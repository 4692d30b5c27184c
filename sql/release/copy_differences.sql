-- builds: copy_differences
-- reads: release, copied
-- one row: the copy: the number of rows that differ from the verified release
with verified as (
    select
        {% for column in columns %}
        cast({{ column | ident }} as varchar) as {{ column | ident }}{{ "," if not loop.last }}
        {% endfor %}
    from release
),

written as (
    select
        {% for column in columns %}
        cast({{ column | ident }} as varchar) as {{ column | ident }}{{ "," if not loop.last }}
        {% endfor %}
    from copied
),

lost as (
    from verified
    except all
    from written
),

added as (
    from written
    except all
    from verified
)

select (select count(*) from lost) + (select count(*) from added) as differing_rows
