-- builds: copy_differences
-- reads: release, copied
-- one row: the copy: the number of rows that differ from the verified release
{% macro texts(relation) -%}
select{% for column in columns %}

        cast({{ column | ident }} as varchar) as {{ column | ident }}{{ "," if not loop.last }}{% endfor %}

    from {{ relation }}
{%- endmacro %}
with lost as (
    {{ texts("release") }}
    except all
    {{ texts("copied") }}
),

added as (
    {{ texts("copied") }}
    except all
    {{ texts("release") }}
)

select (select count(*) from lost) + (select count(*) from added) as differing_rows
