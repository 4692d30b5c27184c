-- builds: visits
-- reads: nothing; every figure is drawn from the row number
-- one row: visit of a synthetic patient; three patients share six rows
with numbered as (
    select
        range as visit,
        range // 6 * 3 + [0, 1, 1, 2, 2, 2][range % 6 + 1] as person
    from range({{ rows | literal }})
),

drawn as (
    select
        visit,
        person,
        {%- for draw in ["birth", "sex", "area", "first", "last"] %}
        (hash(person * 16 + {{ loop.index }}) >> 11) / 9007199254740992.0 as {{ draw }}_draw,
        {%- endfor %}
        {%- for draw in ["day", "ward", "diagnosis", "doctor", "pain"] %}
        (hash(visit * 16 + {{ loop.index + 5 }}) >> 11) / 9007199254740992.0 as {{ draw }}_draw{{ "," if not loop.last }}
        {%- endfor %}
    from numbered
),

patients as (
    select
        *,
        date '1932-01-01' + cast(floor(sqrt(birth_draw) * 31000) as integer) as birth_date,
        case when sex_draw < 0.53 then 'female' else 'male' end as sex,
        ['10115', '10117', '10119', '20095', '20097', '50667', '50668', '80331', '80333', '80335'][
            cast(floor(area_draw * area_draw * 10) as integer) + 1
        ] as postal_code,
        [
            'Maria', 'Anna', 'Fatima', 'Olga', 'Elena', 'Sofia', 'Ingrid', 'Aisha',
            'John', 'Peter', 'Carlos', 'Mark', 'Luca', 'Ivan', 'Kofi', 'Thomas'
        ][cast(floor(first_draw * 8) as integer) + case when sex_draw < 0.53 then 1 else 9 end] as first_name,
        [
            'Smith', 'Novak', 'Garcia', 'Larsen', 'Rossi', 'Brown', 'Fischer', 'Silva', 'Khan', 'Haddad', 'Petrova', 'Mensah'
        ][cast(floor(last_draw * 12) as integer) + 1] as last_name,
        case
            when ward_draw < 0.45 then 'general medicine'
            when ward_draw < 0.70 then 'surgery'
            when ward_draw < 0.85 then 'cardiology'
            when ward_draw < 0.95 then 'neurology'
            else 'oncology'
        end as ward
    from drawn
)

select
    'P' || lpad(cast(100000 + person * 7 as varchar), 7, '0') as "patient_id",
    date '2025-01-01' + cast(floor(day_draw * 365) as integer) as "visit_date",
    ward as "ward",
    case
        when diagnosis_draw < 0.30 and ward = 'cardiology' then 'heart failure'
        when diagnosis_draw < 0.30 and ward = 'oncology' then 'cancer'
        when diagnosis_draw < 0.30 and ward = 'surgery' then 'fracture'
        when diagnosis_draw < 0.40 then 'cancer'
        when diagnosis_draw < 0.50 then 'heart failure'
        when diagnosis_draw < 0.60 then 'fracture'
        when diagnosis_draw < 0.75 then 'diabetes'
        when diagnosis_draw < 0.90 then 'asthma'
        else 'influenza'
    end as "diagnosis",
    first_name || ' ' || last_name || ' was seen by Dr. '
        || ['Berg', 'Weber', 'Okafor', 'Duval', 'Tanaka'][cast(floor(doctor_draw * 5) as integer) + 1]
        || ' as visit ' || cast(visit + 1 as varchar) || ' of the year, and reports that the pain is now '
        || cast(floor(pain_draw * 11) as integer) || ' of 10.' as "note",
    birth_date as "birth_date",
    sex as "sex",
    postal_code as "postal_code"
from patients
