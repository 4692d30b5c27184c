-- builds: encrypted_files
-- reads: the input
-- one row: Parquet file of the input that is encrypted, though its footer can be read
select file_name
from parquet_file_metadata({{ files | literal }})
where encryption_algorithm is not null
order by file_name
