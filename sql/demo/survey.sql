-- builds: survey
-- reads: nothing; every figure is drawn from the row number
-- one row: synthetic respondent of a survey; -9, 99 and NA mean that the answer is missing
with respondents as (
    select
        range as respondent,
        {%- for draw in ["weight", "age", "sex", "region", "education", "income", "trust", "safety", "health", "vote"] %}
        (hash(range * 16 + {{ loop.index }}) >> 11) / 9007199254740992.0 as {{ draw }}_draw{{ "," if not loop.last }}
        {%- endfor %}
    from range({{ rows | literal }})
)

select
    cast(respondent + 1 as bigint) as "respondent",
    round(0.4 + 2.2 * weight_draw * weight_draw, 1) as "weight",
    cast(18 + floor(sqrt(age_draw) * 4 + age_draw * 68) as bigint) as "age",
    case when sex_draw < 0.51 then 'female' else 'male' end as "sex",
    case
        when region_draw < 0.35 then 'north'
        when region_draw < 0.65 then 'south'
        when region_draw < 0.85 then 'east'
        else 'west'
    end as "region",
    cast(
        case
            when education_draw < 0.03 then 99
            when education_draw < 0.15 then 1
            when education_draw < 0.45 then 2
            when education_draw < 0.70 then 3
            when education_draw < 0.90 then 4
            else 5
        end
    as bigint) as "education",
    case
        when income_draw < 0.06 then 'NA'
        when income_draw < 0.36 then 'low'
        when income_draw < 0.80 then 'middle'
        else 'high'
    end as "income",
    {%- for item in ["trust", "safety", "health"] %}
    cast(
        case
            when {{ item }}_draw < 0.02 then -9
            when {{ item }}_draw < 0.12 then 1
            when {{ item }}_draw < 0.32 then 2
            when {{ item }}_draw < 0.62 then 3
            when {{ item }}_draw < 0.88 then 4
            else 5
        end
    as bigint) as "{{ item }}",
    {%- endfor %}
    case
        when vote_draw < 0.36 then 'A'
        when vote_draw < 0.66 then 'B'
        when vote_draw < 0.80 then 'C'
        else 'none'
    end as "voted"
from respondents
