-- builds: cases
-- reads: nothing; every figure is drawn from the row number
-- one row: reported case, made up, in the 19 columns of CDC's public COVID-19 file with geography
--
-- Counties are drawn by a Zipf-like law and lie in 52 states; two thirds of their names stand in one state only. The shares of
-- missing and unknown answers are those that CDC's utility summary of 2024-05-02 gives for the eight quasi-identifiers.
with draws as (
    select
        range as record,
        {%- for draw in ["county", "month", "age", "sex", "known", "race", "ethnicity", "death", "positive", "onset", "process", "exposure", "status", "symptom", "hospital", "icu", "condition"] %}
        (hash(range * 32 + {{ loop.index }}) >> 11) / 9007199254740992.0 as {{ draw }}_draw{{ "," if not loop.last }}
        {%- endfor %}
    from range({{ rows }})
),

placed as (
    select
        *,
        cast(floor(exp(county_draw * ln(3143.0))) as integer) - 1 as county
    from draws
),

counties as (
    select
        range as county,
        cast(floor(52 * pow((hash(range * 7 + 1) >> 11) / 9007199254740992.0, 1.5)) as integer) as state,
        'COUNTY ' || cast(hash(range * 7 + 2) % 1900 as varchar) as name
    from range(3143)
),

states as (
    select
        range as state,
        [
            'CA', 'TX', 'FL', 'NY', 'PA', 'IL', 'OH', 'GA', 'NC', 'MI', 'NJ', 'VA', 'WA', 'AZ', 'TN', 'MA', 'IN', 'MO', 'MD',
            'WI', 'CO', 'MN', 'SC', 'AL', 'LA', 'KY', 'OR', 'OK', 'CT', 'UT', 'NV', 'AR', 'KS', 'MS', 'NM', 'ID', 'NE', 'WV',
            'HI', 'NH', 'ME', 'MT', 'RI', 'DE', 'SD', 'ND', 'AK', 'DC', 'VT', 'WY', 'PR', 'GU'
        ][range + 1] as code,
        lpad(cast(range + 1 as varchar), 2, '0') as fips
    from range(52)
),

final as (
    select
        strftime(date '2020-01-01' + to_months(cast(case
            when month_draw < 0.14 then month_draw / 0.14 * 11
            when month_draw < 0.44 then 11 + (month_draw - 0.14) / 0.30 * 10
            when month_draw < 0.62 then 23 + (month_draw - 0.44) / 0.18 * 2
            else 25 + (month_draw - 0.62) / 0.38 * 26
        end as integer)), '%Y-%m') as case_month,
        states.code as res_state,
        states.fips as state_fips_code,
        counties.name as res_county,
        states.fips || lpad(cast(counties.county as varchar), 4, '0') as county_fips_code,
        case
            when age_draw < 0.010 then 'Missing'
            when age_draw < 0.190 then '0 - 17 years'
            when age_draw < 0.610 then '18 to 49 years'
            when age_draw < 0.830 then '50 to 64 years'
            else '65+ years'
        end as age_group,
        case
            when sex_draw < 0.535 then 'Female'
            when sex_draw < 0.988 then 'Male'
            when sex_draw < 0.996 then 'Unknown'
            else 'Missing'
        end as sex,
        case
            when known_draw < 0.075 then 'Missing'
            when known_draw < 0.200 then 'Unknown'
            when race_draw < 0.680 then 'White'
            when race_draw < 0.830 then 'Black'
            when race_draw < 0.870 then 'Asian'
            when race_draw < 0.884 then 'American Indian/Alaska Native'
            when race_draw < 0.888 then 'Native Hawaiian/Other Pacific Islander'
            else 'Multiple/Other'
        end as race,
        case
            -- who says nothing of the race seldom says more of the ethnicity
            when known_draw < 0.065 then 'Missing'
            when known_draw < 0.230 then 'Unknown'
            when ethnicity_draw < case when race_draw < 0.680 then 0.20 when race_draw < 0.888 then 0.03 else 0.50 end then 'Hispanic/Latino'
            else 'Non-Hispanic/Latino'
        end as ethnicity,
        case when positive_draw < 0.46 then cast(floor(positive_draw * 20) - 2 as bigint) end as case_positive_specimen_interval,
        case when onset_draw < 0.43 then cast(floor(onset_draw * onset_draw * 30) as bigint) end as case_onset_interval,
        case
            when process_draw < 0.905 then 'Missing'
            when process_draw < 0.950 then 'Laboratory reported'
            when process_draw < 0.970 then 'Clinical evaluation'
            when process_draw < 0.985 then 'Multiple'
            when process_draw < 0.995 then 'Provider reported'
            else 'Contact tracing of case patient'
        end as process,
        case when exposure_draw < 0.86 then 'Missing' when exposure_draw < 0.96 then 'Yes' else 'Unknown' end as exposure_yn,
        case when status_draw < 0.85 then 'Laboratory-confirmed case' else 'Probable Case' end as current_status,
        case
            when symptom_draw < 0.43 then 'Symptomatic'
            when symptom_draw < 0.45 then 'Asymptomatic'
            when symptom_draw < 0.53 then 'Unknown'
            else 'Missing'
        end as symptom_status,
        case when hospital_draw < 0.41 then 'No' when hospital_draw < 0.46 then 'Yes' when hospital_draw < 0.62 then 'Unknown' else 'Missing' end as hosp_yn,
        case when icu_draw < 0.06 then 'No' when icu_draw < 0.066 then 'Yes' when icu_draw < 0.22 then 'Unknown' else 'Missing' end as icu_yn,
        case
            -- half of the states never say
            when states.state % 2 = 1 then 'Missing'
            when death_draw < 0.10 then 'Missing'
            when death_draw < 0.36 then 'Unknown'
            when death_draw < 0.36 + case when age_draw >= 0.830 then 0.04 else 0.003 end then 'Yes'
            else 'No'
        end as death_yn,
        case when condition_draw < 0.09 then 'Yes' when condition_draw < 0.10 then 'No' else 'Missing' end as underlying_conditions_yn
    from placed
    join counties
        on placed.county = counties.county
    join states
        on counties.state = states.state
)

select * from final
