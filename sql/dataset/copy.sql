-- builds: copy
-- reads: a relation, or a table of another database
-- one row: row of the relation
select {{ columns | idents if columns is defined else "*" }}
from {{ "%s.main." % (database | ident) if database is defined }}{{ relation | ident }}
