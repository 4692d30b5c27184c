-- builds: records
-- reads: source (perhaps replaced_texts_<column>, outside_<column>, isolated, isolated_<column>)
-- one row: input row that takes part, after the rule for missing values, without values that the recoding does not cover and isolated records
{% from "dataset/missing.jinja" import is_present %}
{% from "dataset/isolated.jinja" import is_isolated %}
{% from "dataset/outside.jinja" import is_outside %}
{% from "dataset/replaced_texts.jinja" import with_shown_texts %}
select
    {% for column in columns %}
    {{ "case when not %s then source.%s end as " % (is_outside(column) | indent, column | ident) if column in hidden }}{{ column | ident }}{{ "," if not loop.last }}
    {% endfor %}
from {{ with_shown_texts(columns, replaced) }}
{% if dropped or outside or isolated %}
where true
{% endif %}
    {% for column, missing in dropped %}
    and {{ is_present(column | ident, missing) }}
    {% endfor %}
    {% for column in outside %}
    and not exists (
        select 1
        from {{ ("outside_" ~ column) | ident }} as outside
        where outside.value = source.{{ column | ident }}
    )
    {% endfor %}
    {{- "    and not (%s)" % is_isolated("source", isolated) if isolated }}
