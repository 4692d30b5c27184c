"""The eighteen identifiers of HIPAA Safe Harbor, 45 CFR 164.514(b)(2)(i), as a checklist."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from duckanon.dataset.column_names import words_of
from duckanon.engine.protocol import Column


@dataclass(frozen=True)
class Identifier:
    """One of the eighteen identifiers, and how a column with it is detected."""

    letter: str
    name: str
    words: frozenset[str] = frozenset()
    looks: tuple[str, ...] = ()
    """The start of the texts of `IdentifierMatch` for its values."""
    is_date: bool = False


def _of(letter: str, name: str, words: str = "", *looks: str, is_date: bool = False) -> Identifier:
    return Identifier(letter, name, frozenset(words.split()), looks, is_date)


IDENTIFIERS = (
    _of("A", "names", "name names firstname lastname surname forename fullname nachname vorname nom prenom apellido nombre"),
    _of(
        "B",
        "places smaller than a state",
        "address street city town county zip zipcode postcode postal precinct municipality place adresse strasse plz ort stadt",
        "geographic coordinates",
    ),
    _of("C", "dates except the year; ages over 89", "birth dob birthdate born admission discharge death age", is_date=True),
    _of("D", "telephone numbers", "phone telephone tel mobile telefon handy telefono", "telephone"),
    _of("E", "fax numbers", "fax"),
    _of("F", "e-mail addresses", "email mail courriel correo", "e-mail"),
    _of(
        "G",
        "social security numbers",
        "ssn nin nhs insee nir bsn pesel cpf sozialversicherung",
        "US social security numbers",
        "national identification numbers",
    ),
    _of("H", "medical record numbers", "mrn patient patientid record recordid medicalrecord"),
    _of("I", "health plan numbers", "plan insurance insured policy beneficiary member memberid versicherung"),
    _of("J", "account numbers", "account iban bic card konto cuenta", "IBAN", "payment card numbers"),
    _of("K", "certificate and licence numbers", "license licence certificate permit dea npi"),
    _of("L", "vehicle identifiers, number plates", "vin plate vehicle medallion kennzeichen"),
    _of(
        "M",
        "device identifiers and serial numbers",
        "device serial imei imsi udi",
        "mobile device numbers",
        "UUIDs",
    ),
    _of("N", "URLs", "url uri website link", "URL"),
    _of("O", "IP addresses", "ip", "IP ", "MAC addresses"),
    _of("P", "biometric identifiers", "fingerprint biometric retina iris voice voiceprint dna genome"),
    _of("Q", "photographs of the face", "photo image picture portrait foto bild"),
    _of("R", "any other unique number or code", "id ids uid uuid guid identifier token hash code number key"),
)


def checklist(columns: Mapping[str, tuple[Column, str | None, bool]]) -> list[dict[str, Any]]:
    """Each of the eighteen identifiers with the columns that may contain it, from the type, the match and the near-uniqueness of each column."""
    columns_of: dict[str, list[str]] = {identifier.letter: [] for identifier in IDENTIFIERS}
    for name, (column, looks, is_unique) in columns.items():
        words = words_of(name)
        held = [
            identifier.letter
            for identifier in IDENTIFIERS
            if identifier.words & words
            or (identifier.is_date and column.is_date)
            or any((looks or "").startswith(look) for look in identifier.looks)
        ]
        for letter in held or (["R"] if is_unique else []):
            columns_of[letter].append(name)
    return [
        {"identifier": identifier.letter, "name": identifier.name, "columns": columns_of[identifier.letter]}
        for identifier in IDENTIFIERS
    ]
