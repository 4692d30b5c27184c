-- builds: adult
-- reads: nothing; every figure is drawn from the row number
-- one row: synthetic person, with the columns of the UCI Adult file
with people as (
    select
        range as person,
        {%- for draw in ["age", "sex", "race", "country", "marital", "education", "workclass", "occupation", "relationship", "hours", "gain", "loss", "weight", "income"] %}
        (hash(range * 16 + {{ loop.index }}) >> 11) / 9007199254740992.0 as {{ draw }}_draw{{ "," if not loop.last }}
        {%- endfor %}
    from range({{ rows | literal }})
),

born as (
    select
        *,
        cast(
            case
                when age_draw < 0.05 then 17 + age_draw / 0.05 * 3
                when age_draw < 0.25 then 20 + (age_draw - 0.05) / 0.20 * 8
                when age_draw < 0.50 then 28 + (age_draw - 0.25) / 0.25 * 9
                when age_draw < 0.75 then 37 + (age_draw - 0.50) / 0.25 * 11
                when age_draw < 0.95 then 48 + (age_draw - 0.75) / 0.20 * 15
                when age_draw < 0.995 then 63 + (age_draw - 0.95) / 0.045 * 14.4
                else 78 + (age_draw - 0.995) / 0.005 * 12.4
            end
        as integer) as age,
        case when sex_draw < 0.669 then 'Male' else 'Female' end as sex,
        case
            when race_draw < 0.854 then 'White'
            when race_draw < 0.950 then 'Black'
            when race_draw < 0.982 then 'Asian-Pac-Islander'
            when race_draw < 0.992 then 'Amer-Indian-Eskimo'
            else 'Other'
        end as race
    from people
),

settled as (
    select
        *,
        case
            when country_draw < 0.018 then '?'
            when race = 'Asian-Pac-Islander' then
                case
                    when country_draw < 0.30 then 'United-States'
                    when country_draw < 0.50 then 'Philippines'
                    when country_draw < 0.62 then 'India'
                    when country_draw < 0.72 then 'China'
                    when country_draw < 0.80 then 'Vietnam'
                    when country_draw < 0.87 then 'South'
                    when country_draw < 0.93 then 'Japan'
                    when country_draw < 0.97 then 'Taiwan'
                    else 'Iran'
                end
            when race = 'Other' then
                case
                    when country_draw < 0.50 then 'United-States'
                    when country_draw < 0.75 then 'Mexico'
                    when country_draw < 0.88 then 'Puerto-Rico'
                    else 'Dominican-Republic'
                end
            when country_draw < 0.922 then 'United-States'
            when country_draw < 0.946 then 'Mexico'
            when country_draw < 0.952 then 'Germany'
            when country_draw < 0.957 then 'Canada'
            when country_draw < 0.962 then 'Puerto-Rico'
            when country_draw < 0.967 then 'El-Salvador'
            when country_draw < 0.971 then 'Cuba'
            when country_draw < 0.975 then 'England'
            when country_draw < 0.979 then 'Jamaica'
            when country_draw < 0.983 then 'Italy'
            when country_draw < 0.986 then 'Poland'
            when country_draw < 0.989 then 'Guatemala'
            when country_draw < 0.992 then 'Columbia'
            when country_draw < 0.995 then 'Haiti'
            when country_draw < 0.997 then 'Portugal'
            when country_draw < 0.999 then 'France'
            else 'Greece'
        end as country,
        case
            when marital_draw < greatest(0.05, 1.10 - (age - 17) / 20.0) then 'Never-married'
            when marital_draw > 1 - least(0.35, greatest(0.0, (age - 45) / 120.0)) then 'Widowed'
            when marital_draw > 0.985 then 'Married-spouse-absent'
            when marital_draw > 0.954 then 'Separated'
            when marital_draw > 0.800 then 'Divorced'
            when marital_draw > 0.799 then 'Married-AF-spouse'
            else 'Married-civ-spouse'
        end as marital,
        case
            when education_draw < 0.002 then 1
            when education_draw < 0.007 then 2
            when education_draw < 0.017 then 3
            when education_draw < 0.037 then 4
            when education_draw < 0.053 then 5
            when education_draw < 0.082 then 6
            when education_draw < 0.118 then 7
            when education_draw < 0.131 then 8
            when education_draw < 0.454 or age < 19 then 9
            when education_draw < 0.678 or age < 22 then 10
            when education_draw < 0.720 then 11
            when education_draw < 0.753 then 12
            when education_draw < 0.917 or age < 25 then 13
            when education_draw < 0.970 then 14
            when education_draw < 0.988 then 15
            else 16
        end as schooling
    from born
),

employed as (
    select
        *,
        case
            when workclass_draw < 0.056 then '?'
            when workclass_draw < 0.753 then 'Private'
            when workclass_draw < 0.831 then 'Self-emp-not-inc'
            when workclass_draw < 0.895 then 'Local-gov'
            when workclass_draw < 0.935 then 'State-gov'
            when workclass_draw < 0.969 then 'Self-emp-inc'
            when workclass_draw < 0.999 then 'Federal-gov'
            else 'Without-pay'
        end as workclass
    from settled
),

occupied as (
    select
        *,
        case
            when workclass = '?' then '?'
            when schooling >= 13 then
                case
                    when occupation_draw < 0.42 then 'Prof-specialty'
                    when occupation_draw < 0.70 then 'Exec-managerial'
                    when occupation_draw < 0.82 then 'Sales'
                    when occupation_draw < 0.90 then 'Adm-clerical'
                    when occupation_draw < 0.94 then 'Tech-support'
                    when occupation_draw < 0.97 then 'Craft-repair'
                    when occupation_draw < 0.98 then 'Protective-serv'
                    when occupation_draw < 0.99 then 'Farming-fishing'
                    else 'Other-service'
                end
            when sex = 'Male' then
                case
                    when occupation_draw < 0.27 then 'Craft-repair'
                    when occupation_draw < 0.38 then 'Machine-op-inspct'
                    when occupation_draw < 0.50 then 'Transport-moving'
                    when occupation_draw < 0.59 then 'Handlers-cleaners'
                    when occupation_draw < 0.69 then 'Other-service'
                    when occupation_draw < 0.79 then 'Sales'
                    when occupation_draw < 0.87 then 'Exec-managerial'
                    when occupation_draw < 0.93 then 'Adm-clerical'
                    when occupation_draw < 0.97 then 'Farming-fishing'
                    when occupation_draw < 0.999 then 'Protective-serv'
                    else 'Armed-Forces'
                end
            when occupation_draw < 0.34 then 'Adm-clerical'
            when occupation_draw < 0.60 then 'Other-service'
            when occupation_draw < 0.74 then 'Sales'
            when occupation_draw < 0.83 then 'Machine-op-inspct'
            when occupation_draw < 0.92 then 'Exec-managerial'
            when occupation_draw < 0.95 then 'Craft-repair'
            when occupation_draw < 0.97 then 'Tech-support'
            when occupation_draw < 0.99 then 'Handlers-cleaners'
            else 'Priv-house-serv'
        end as occupation,
        case
            when marital in ('Married-civ-spouse', 'Married-AF-spouse') and relationship_draw < 0.97 then
                case when sex = 'Male' then 'Husband' else 'Wife' end
            when marital = 'Never-married' and relationship_draw < greatest(0.1, (34 - age) / 18.0) then 'Own-child'
            when relationship_draw < 0.45 then 'Unmarried'
            when relationship_draw < 0.92 then 'Not-in-family'
            else 'Other-relative'
        end as relationship,
        cast(
            case
                when hours_draw < 0.47 then 40
                when hours_draw < 0.72 then 5 + (hours_draw - 0.47) / 0.25 * 34
                when hours_draw < 0.97 then 41 + (hours_draw - 0.72) / 0.25 * 20
                else 62 + (hours_draw - 0.97) / 0.03 * 37
            end
        as integer) as hours,
        case when gain_draw < 0.917 then 0 else cast(floor(100 * exp((gain_draw - 0.917) / 0.083 * 5.3)) as bigint) end as gain,
        case when loss_draw < 0.953 then 0 else cast(floor(1000 + (loss_draw - 0.953) / 0.047 * 1500) as bigint) end as loss
    from employed
)

select
    cast(age as bigint) as "age",
    workclass as "workclass",
    cast(floor(13000 * exp(weight_draw * 3.7)) as bigint) as "fnlwgt",
    [
        'Preschool', '1st-4th', '5th-6th', '7th-8th', '9th', '10th', '11th', '12th',
        'HS-grad', 'Some-college', 'Assoc-voc', 'Assoc-acdm', 'Bachelors', 'Masters', 'Prof-school', 'Doctorate'
    ][schooling] as "education",
    cast(schooling as bigint) as "education-num",
    marital as "marital-status",
    occupation as "occupation",
    relationship as "relationship",
    race as "race",
    sex as "sex",
    gain as "capital-gain",
    loss as "capital-loss",
    cast(hours as bigint) as "hours-per-week",
    country as "native-country",
    case
        when income_draw < 1.3 * (schooling / 16.0) * (schooling / 16.0)
            * case when marital = 'Married-civ-spouse' then 0.9 else 0.15 end
            * least(1.0, greatest(0.1, (age - 17) / 20.0)) + case when gain > 7000 then 0.6 else 0.0 end
        then '>50K'
        else '<=50K'
    end as "income"
from occupied
