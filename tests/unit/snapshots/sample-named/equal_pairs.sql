-- builds: equal_pairs
-- reads: sampled_records
-- one row: the sample: for each quasi-identifier, the share of pairs of rows with the same value
select
    (
        select sum(cast(_rows as double) * _rows) / (sum(cast(_rows as double)) * sum(cast(_rows as double)))
        from (
            select count(*) as _rows
            from sampled_records
            group by
                _value_0
        ) as values_0
    ) as equal_0
