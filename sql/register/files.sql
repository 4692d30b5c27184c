-- builds: files
-- reads: the saved recoding
-- one row: file of the saved recoding of a registered release
select
    parse_filename(filename) as name,
    content
from read_blob({{ files | literal }})
