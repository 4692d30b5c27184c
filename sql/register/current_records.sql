-- builds: current_records
-- reads: source
-- one row: the hash of a distinct row of the input: the smallest hashes, if there are very many
select distinct md5_number({{ salt | literal }} || {% for column in columns %}coalesce(cast({{ column | ident }} as varchar), chr(1)) || chr(2){{ " || " if not loop.last }}{% endfor %}) as _hash
from source
order by _hash
limit {{ most }}
