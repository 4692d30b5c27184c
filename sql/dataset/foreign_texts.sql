-- builds: foreign_texts
-- reads: source
-- one row: the first rows: for each column its cells that are no marks of missing values, those that look like dates, like amounts, and like amounts with a currency
{% from "dataset/numbers.jinja" import is_missing_token with context %}
with cells as (
    select
        {% for column in columns %}
        cast({{ column.name | ident }} as varchar) as {{ ("cell_" ~ loop.index0) | ident }}{{ "," if not loop.last }}
        {% endfor %}
    from source
    limit {{ rows }}
)

select
    {% for column in columns %}
    count(*) filter (where not {{ is_missing_token("cell_%s" % loop.index0) }}) as {{ ("filled_" ~ loop.index0) | ident }},
    count(*) filter (where regexp_full_match({{ "lower(strip_accents(trim(cell_%s)))" % loop.index0 }}, {{ (looks if column.is_text else compact) | literal }})) as {{ ("alike_" ~ loop.index0) | ident }},
    count(*) filter (where regexp_full_match({{ "cell_%s" % loop.index0 }}, {{ amount | literal }})) as {{ ("amounts_" ~ loop.index0) | ident }},
    count(*) filter (where regexp_full_match({{ "cell_%s" % loop.index0 }}, {{ currency | literal }})) as {{ ("currencies_" ~ loop.index0) | ident }}{{ "," if not loop.last }}
    {% endfor %}
from cells
