-- builds: released_sample
-- reads: sampled_records, values_<column>, recoding_<column> (perhaps class_results, region_assignments, regions)
-- one row: released row of the sample: its retained cells, and for each quasi-identifier the code of its value and its released label
select
    sampled_records._retained_0,
    sampled_records._retained_1,
    sampled_records._retained_2,
    "values_age".code as _code_0,
    regions."age" as _shown_0,
    "values_sex".code as _code_1,
    regions."sex" as _shown_1,
    "values_town".code as _code_2,
    regions."town" as _shown_2
from sampled_records
join "values_age"
    on sampled_records._value_0 is not distinct from "values_age".value
join "recoding_age"
    on sampled_records._value_0 is not distinct from "recoding_age".value
join "values_sex"
    on sampled_records._value_1 is not distinct from "values_sex".value
join "recoding_sex"
    on sampled_records._value_1 is not distinct from "recoding_sex".value
join "values_town"
    on sampled_records._value_2 is not distinct from "values_town".value
join "recoding_town"
    on sampled_records._value_2 is not distinct from "recoding_town".value
join region_assignments
    on "recoding_age".code = region_assignments."age"
    and "recoding_sex".code = region_assignments."sex"
    and "recoding_town".code = region_assignments."town"
join regions
    on region_assignments._region = regions._region
