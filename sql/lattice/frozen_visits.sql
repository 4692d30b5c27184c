-- builds: frozen_visits
-- reads: the frozen recoding
-- one row: node that the search visited
select
    {% for column in columns %}
    {{ column | ident }},
    {% endfor %}
    _classes,
    _smallest,
    _suppressed,
    _objective,
    _at_least,
    _verdict = 'satisfies' as satisfies,
    _chosen
from read_parquet({{ path | literal }})
order by _visit
