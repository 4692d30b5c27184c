-- builds: evaluated
-- reads: value_counts (perhaps entropy_comparisons)
-- one row: class, which fails if it has fewer than l sensitive values, or if their entropy is less than ln l (Machanavajjhala et al. 2007)
with measures as (
    select
        _class,
        max(_class_rows) as _rows,
        count(*) as present,
        max(_value_rows) as most,
        {% if model.is_decided %}
        string_agg(cast(_value_rows as varchar), ' ' order by _value_rows) as counts,
        {% endif %}
        ln(max(_class_rows)) - sum(_value_rows * ln(_value_rows)) / {{ "cast(max(_class_rows) as double)" if model.is_exported else "max(_class_rows)" }} as entropy
    from {{ model.value_counts }}
    group by
        _class
)

select
    _class,
    exp(entropy) as _achieved,
    case
        when present < {{ model.l }} or entropy < ln({{ model.l }}) - {{ model.nearly }} then true
        when entropy > ln({{ model.l }}) + {{ model.nearly }} then false
        when present = {{ model.l }} then most * present > _rows
        else {{ "not coalesce(decided.holds, false)" if model.is_decided else "true" }}
    end as _fails,
    case when present < {{ model.l }} then 0 end as _most_passing,
    present > {{ model.l }} and abs(entropy - ln({{ model.l }})) <= {{ model.nearly }}{{ " and decided.holds is null" if model.is_decided }} as _doubtful
from measures
{% if model.is_decided %}
left join entropy_comparisons as decided
    on measures.counts = decided.counts
    and decided.l = {{ model.l }}
{% endif %}
