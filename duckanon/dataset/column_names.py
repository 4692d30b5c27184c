"""The meaning of column names: usual words for identifiers, sensitive facts and quasi-identifiers."""

import re
import unicodedata
from itertools import pairwise
from typing import Literal

Hint = Literal["identifying", "weakly identifying", "sensitive", "quasi-identifier"]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_IDENTIFYING = _words(
    """
    id ids iid uid uuid guid identifier user users account session token license licence url uri name names firstname lastname surname forename fullname nickname username login
    email mail phone telephone tel mobile fax msisdn ssn nin nhs mrn passport pid patid
    iban bic ccn medallion ip mac imei imsi signature password payee
    nachname vorname telefon handy nom prenom courriel apellido apellidos nombre dni nif correo telefono movil
    """
)
_WEAKLY_IDENTIFYING = _words(
    """
    caller callee subscriber contact customer client card plate vin address addr street
    geom geometry coordinates hash photo image comment comments note notes remark remarks description text freetext number no nr
    key code index row record obs observation
    nummer adresse strasse kunde benutzer rue numero direccion calle
    """
)
"""Names of columns that identify persons or records if few records share a value; else they may be counts, kinds or flags."""
_IDENTIFYING_TAILS = ("name", "nummer", "number", "phone", "mail", "uuid", "guid")
_IDENTIFYING_PAIRS = re.compile(
    r"(cust|customer|user|patient|client|member|person|people|employee|emp|student|account|session|device|order|case|record|pat|"
    r"visitor|subject|respondent|participant|loan|trip|driver)(id|no|nr|num|key|code)"
)
_PERSONS = _words(
    """
    patient pat person persons people customer cust client user member employee emp staff student pupil subject respondent
    participant visitor rider passenger voter taxpayer resident citizen individual insured beneficiary borrower applicant
    candidate donor animal subscriber caller player prisoner inmate defendant victim
    individu individuo persona utente kunde kunden versicherte versicherten mitarbeiter schueler buerger personne salarie assure cliente paciente persona empleado
    """
)
_KEYS = _words("id ids no nr num number key code identifier uid uuid guid hash token name nummer numero")
_KEYS_OF_PERSONS = _words(
    "ssn nin nhs mrn nif dni passport email mail msisdn imsi username login pid personid patientid userid"
)
_KEY_OF_PERSONS = re.compile(
    f"({'|'.join(sorted(_PERSONS, key=len, reverse=True))})({'|'.join(sorted(_KEYS, key=len, reverse=True))})"
)
_WHOLE_KEYS = ({"id"}, {"uid"}, {"identifier"}, {"name"}, {"full", "name"}, {"fullname"})
_SENSITIVE = _words(
    """
    diagnosis diagnoses disease illness condition symptom symptoms disorder icd icd9 icd10 treatment therapy drug drugs medication
    prescription procedure hiv pregnancy pregnant disability genetic genotype test result results income salary wage wages pay
    earnings compensation bonus debt wealth assets religion faith belief politics political party vote voted union orientation
    sexuality crime offence offense conviction sentence arrest verdict
    case death dead died deceased alive surv survived survival mortality outcome event relapse recurrence remission complication
    complications censored cens treat treated responded responder readmitted readmission recovered cured
    churn churned attrition defaulted delinquent bankrupt fraud approved converted dropout grades gpa
    diagnose krankheit gehalt lohn einkommen maladie salaire revenu enfermedad diagnostico salario ingresos
    """
)
_OUTCOMES = [
    frozenset(name.split())
    for name in (
        *("status", "vital status", "survival status", "disease status", "patient status"),
        *("target", "label", "response", "default", "loan default", "grade", "final grade", "conversion"),
    )
]
"""Whole names of outcomes whose words are parts of other names too: `marital_status`, `plan_label`."""
_QUASI_IDENTIFYING = _words(
    """
    age ages dob yob born sex gender race county state province region city town municipality commune district borough country
    zip plz location place residence domicile job profession degree school university diploma employer industry sector
    department ward division household children language caste tribe veteran date year timestamp datetime hired admitted
    discharged start started end ended
    female male black white asian hispanic educ ethn ethnic kids latitude longitude lat lon lng
    alter geburtsdatum geschlecht ort stadt land beruf staatsangehoerigkeit datum jahr familienstand
    naissance sexe ville pays profession edad sexo ciudad pais provincia fecha
    """
)
_OF_PERSONS = _words(
    """
    age ages dob yob born sex gender race female male educ ethn ethnic alter geburtsdatum geschlecht familienstand edad sexo sexe naissance
    """
)
_STEMS_OF_PERSONS = ("birth", "marital", "married", "ethnic", "national", "citizen", "educat", "occupat", "geburt")
_GROUPS = _words(
    """
    station clinic hospital site store shop branch team group class category type concept kind unit office plant line route room bed
    center centre facility campus course product item brand plan tariff cohort arm batch lab project gender warehouse terminal
    klinik filiale abteilung gruppe kategorie service hopital sede
    """
)
"""Names of what many persons share, beside the words for quasi-identifiers."""
_OF_ANYTHING = _words("id ids uid uuid guid identifier name names")
"""Identifying words that may belong to a group: `station_name`, `department_id`."""
_OF_ACCOUNTS = _words("user users account session token license licence nom nombre")
"""Identifying words that belong to a group only beside its word: `account_type`, `nom_hopital`."""
_NAMED = _words(
    """
    mother father parent spouse husband wife partner child children son daughter sibling kin relative guardian neighbor neighbour
    doctor physician surgeon nurse therapist teacher professor author lawyer judge officer agent driver contact owner tenant
    holder witness sender recipient buyer seller arzt lehrer mutter vater
    """
)
"""Who has a name that is a person's, though a number of them may be a group."""
_CODES = _words("id ids code codes concept type category cat kind key")
_PARTS_OF_NAMES = _words(
    """
    firstname lastname surname forename givenname first last middle given family maiden vorname nachname familienname prenom nom apellido apellidos cognome
    """
)
_QUASI_IDENTIFYING_STEMS = (
    *("birth", "marital", "married", "ethnic", "national", "citizen", "educat", "occupat", "postal", "postcode", "zipcode"),
    *("workclass", "employment", "jobtitle", "countr", "geograph", "admission", "discharge", "immigra", "native", "geburt"),
)


def hint(name: str) -> Hint | None:
    """What a column of that name usually is; None if the name says nothing.

    Others may know the date, the place or the age of something sensitive (`diagnosis_date`).
    """
    words = words_of(name)
    tails = words - _WEAKLY_IDENTIFYING
    if words & _IDENTIFYING or identifies_persons(name):
        return "identifying"
    if any(_IDENTIFYING_PAIRS.fullmatch(word) or word.endswith(_IDENTIFYING_TAILS) for word in tails):
        return "identifying"
    if words & _QUASI_IDENTIFYING or any(word.startswith(_QUASI_IDENTIFYING_STEMS) for word in words):
        return "quasi-identifier"
    if words & _SENSITIVE or words in _OUTCOMES:
        return "sensitive"
    return "weakly identifying" if words & _WEAKLY_IDENTIFYING else None


def identifies_persons(name: str) -> bool:
    """Whether each value of a column of that name is one person: `patient_id`, `email`, `id`; not `hospital_id`, `first_name`."""
    words = words_of(name)
    return bool(
        words & _KEYS_OF_PERSONS
        or (words & _PERSONS and (words & _KEYS or len(words) == 1))
        or words in _WHOLE_KEYS
        or any(_KEY_OF_PERSONS.fullmatch(word) for word in words)
    )


def identifies_directly(name: str) -> bool:
    """Whether the values of a column of that name are personal however many records share each: `last_name`, `phone`, `account_id`."""
    words = words_of(name)
    own = words & _IDENTIFYING - _OF_ANYTHING - (_OF_ACCOUNTS if identifies_groups(name) else frozenset())
    is_name = bool(words & {"name", "names", "nom", "nombre"}) or any(word.endswith("name") for word in words)
    is_born = any(word.startswith(("birth", "geburt", "naissance")) for word in words)
    return (
        bool(own)
        or identifies_persons(name)
        or any(word.endswith(("phone", "mail")) for word in words)
        or _IDENTIFYING_PAIRS.fullmatch(re.sub(r"[\W_]", "", name.casefold())) is not None
        or (is_name and (is_born or bool({word.removesuffix("name") for word in words} & (_NAMED | _PARTS_OF_NAMES - {"nom"}))))
    )


def identifies_groups(name: str) -> bool:
    """Whether a column of that name tells what many persons share: `department_id`, `station_name`; not `account_id`."""
    return bool(words_of(name) & (_GROUPS | _QUASI_IDENTIFYING))


def is_of_persons(name: str) -> bool:
    """Whether a column of that name describes a person rather than a place, a time or a thing: `birth_year`, `sex`."""
    words = words_of(name)
    return bool(words & _OF_PERSONS) or any(word.startswith(_STEMS_OF_PERSONS) for word in words)


def is_code(name: str) -> bool:
    """Whether numbers in a column of that name are codes of categories, which have no order and no distance."""
    return bool(words_of(name) & _CODES)


def is_part_of_name(name: str) -> bool:
    """Whether a column of that name holds first or last names, which several persons share."""
    return bool(words_of(name) & _PARTS_OF_NAMES)


def words_of(name: str) -> set[str]:
    """The words of a column's name, in lower case without accents; split at camel case, at digits, and at characters other than letters."""
    plain = "".join(character for character in unicodedata.normalize("NFKD", name) if not unicodedata.combining(character))
    parted = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=[0-9])|(?<=[0-9])(?=[A-Za-z])", " ", plain)
    words = [word for word in re.split(r"[\W_]+", parted.casefold()) if word]
    pairs = {f"{first}{second}" for first, second in pairwise(words) if second.isdigit()}
    return {*words, *pairs, *(("ip",) if ("i", "p") in pairwise(words) else ())}
