"""Detection of direct identifiers by their values: names of persons, e-mail and machine addresses, telephone numbers, numbers with a check digit."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from ipaddress import ip_address

from duckanon.dataset.column_names import hint
from duckanon.dataset.person_names import name_kind
from duckanon.engine.owner import step
from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import batches, render

_EXAMPLES = 500
_MOST_ROWS, _MOST_CELLS = 10_000, 2_000_000
"""The examined part of the input: a random sample, because the first rows may be of one place or year; fewer rows if it has many columns."""
_COLUMNS_AT_ONCE = 25
_LEAST_EXAMPLES = 5
_LOOKS_LIKE = 0.8
"""The share of the examples that must match."""
_NEARLY_ALL = 0.95
_PRECISE, _UNSURE = 0.2, 0.05
"""The share that is enough for what no other values look like; and the share from which the column is unsure."""
_LEAST_NAMES, _MANY_NAMES = 3, 12
"""The least known names; and the least different values of a column of first or last names, since few values are categories."""
_UNSURE_NAMES, _UNSURE_PARTS, _PARTS = 0.1, 0.15, 0.35
"""The share of names from which a column is unsure; that of single words, which may be places; and that of single words which is enough."""
_WORDS = 6
"""Free text has more words than this on average."""
_PRIVATE, _GREATEST_OF_VERSIONS = 10, 31
_LEAST_DIGITS = 7
"""Whole numbers with fewer digits are not compared with national numbers."""

_MAIL = re.compile(r"[^@\s]+@[^@\s]+\.[A-Za-z]{2,}")
_URL = re.compile(r"(https?|ftp)://\S+|www\.\S+\.\S+", re.IGNORECASE)
_PHONE = re.compile(r"(\+|00)[\d ()/.-]{7,22}|\(?0\d{1,5}\)?[ /.-]+[\d ()/.-]{4,18}|0\d{8,14}|\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}")
_SPECIFIC_PHONE = re.compile(r"(\+|00)[1-9]\d{0,2}[ (/.-][\d ()/.-]{6,18}|\(\d{3}\) ?\d{3}[ .-]\d{4}|\d{3}-\d{3}-\d{4}")
_HOST = re.compile(
    r"(?=.*[a-z])[a-z0-9_]([a-z0-9_-]*[a-z0-9])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9])?)*"
    r"\.(com|net|org|edu|gov|mil|int|arpa|info|local|lan|internal|intern|corp|home|"
    r"ac|ar|at|au|be|bg|br|ca|ch|cl|cn|co|cz|de|dk|ee|es|eu|fi|fr|gr|hk|hr|hu|id|ie|il|in|io|ir|is|it|jp|kr|lt|lu|lv|mx|my|nl|no|nz|pl|pt|ro|rs|ru|se|sg|si|sk|su|th|tr|tw|ua|uk|us|za)\.?",
    re.IGNORECASE,
)
_DATE_OR_ZIP = re.compile(r"\d{1,2}[./-]\d{1,2}[./-](\d{4}|\d{2})|\d{5}-\d{4}")
_MAC = re.compile(r"[0-9A-Fa-f]{2}([:-][0-9A-Fa-f]{2}){5}")
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_PLACE = re.compile(r"-?\d{1,2}\.\d{3,},\s*-?\d{1,3}\.\d{3,}")
_NATIONAL = {
    "Germany": "de.idnr",  # before Croatia, whose numbers have the same check digit and fewer rules
    "Austria": "at.vnr",
    "Belgium": "be.nn",
    "Brazil": "br.cpf",
    "Bulgaria": "bg.egn",
    "Canada": "ca.sin",
    "Chile": "cl.rut",
    "China": "cn.ric",
    "Croatia": "hr.oib",
    "Czechia": "cz.rc",
    "Estonia": "ee.ik",
    "Finland": "fi.hetu",
    "France": "fr.nir",
    "Greece": "gr.amka",
    "Iceland": "is_.kennitala",
    "India": "in_.aadhaar",
    "Ireland": "ie.pps",
    "Israel": "il.idnr",
    "Italy": "it.codicefiscale",
    "Korea": "kr.rrn",
    "Lithuania": "lt.asmens",
    "Mexico": "mx.curp",
    "Netherlands": "nl.bsn",
    "Norway": "no.fodselsnummer",
    "Poland": "pl.pesel",
    "Romania": "ro.cnp",
    "South Africa": "za.idnr",
    "Spain": "es.dni",
    "Sweden": "se.personnummer",
    "Switzerland": "ch.ssn",
    "Turkey": "tr.tckimlik",
    "United Kingdom": "gb.nhs",
}
"""The module of python-stdnum that checks the national numbers of a country."""
_SOCIAL_SECURITY = re.compile(r"(?!000|666|9\d\d)\d{3}-(?!00)\d\d-(?!0000)\d{4}")


@dataclass(frozen=True)
class IdentifierMatch:
    """The kind of direct identifier that the values of a column match, and the share of the examples that match."""

    what: str
    share: float
    is_sure: bool = True
    """Whether the share is high enough to treat the column as a direct identifier; else the user is asked."""

    @property
    def is_of_persons(self) -> bool:
        """Whether each value belongs to one person; a machine or a place does not."""
        return self.what not in _OF_NO_PERSON

    def __str__(self) -> str:
        return f"its values look like {self.what} ({self.share:.0%} of those looked at)"


_OF_NO_PERSON = (
    "IP addresses",
    "MAC addresses",
    "host names",
    "URLs",
    "UUIDs",
    "geographic coordinates",
    PARTS_OF_NAMES := "first or last names",
)


def identifier_matches(engine: Engine, columns: Sequence[Column]) -> dict[str, IdentifierMatch]:
    """The matches of columns of text and of long whole numbers, by examples of their values."""
    return {name: match for name, match in looked_at(engine, columns)[0].items() if match.is_sure}


def unsure(name: str, match: IdentifierMatch) -> str:
    """The warning about a released column of which only some values look like direct identifiers."""
    return (
        f"{name!r} is released, and {match}: duckanon is unsure whether they identify persons; look at the column, drop it (--identifying {name}), or "
        f"give it the role that it has"
    )


def looked_at(engine: Engine, columns: Sequence[Column]) -> tuple[dict[str, IdentifierMatch], set[str]]:
    """The matches, and the columns of free text."""
    alike, prose = {}, set()
    for column, texts in _examples(engine, columns):
        if (
            match := matching(texts, is_number=not column.is_text, may_be_names=hint(column.name) != "quasi-identifier")
        ) is not None:
            alike[column.name] = match
        if column.is_text and sum(len(text.split()) for text in texts) > _WORDS * len(texts):
            prose.add(column.name)
    return alike, prose


@step
def _examples(engine: Engine, columns: Sequence[Column]) -> list[tuple[Column, list[str]]]:
    """Some hundred distinct values of a sample, for each column of text or whole numbers.

    They are in no message and no log.
    """
    judged = [column for column in columns if column.is_text or column.is_whole]
    if not judged:
        return []
    rows = min(_MOST_ROWS, _MOST_CELLS // len(judged) + 1)
    first = render("dataset/sampled_values", columns=[column.name for column in judged], rows=rows)
    engine.create_table(first, stage="looking at the values of the columns")
    examples = []
    for batch in batches(judged, _COLUMNS_AT_ONCE):
        statement = render("dataset/example_values", columns=[column.name for column in batch], examples=_EXAMPLES)
        texts: dict[int, list[str]] = {}
        for number, text in engine.query(statement):
            texts.setdefault(number, []).append(text.strip())
        examples += [(batch[number], held) for number, held in texts.items()]
    return examples


def matching(texts: Sequence[str], *, is_number: bool = False, may_be_names: bool = True) -> IdentifierMatch | None:
    """The match of at least four in five of the distinct values, or of fewer if no other values look like it; None for fewer than five values."""
    if len(texts) < _LEAST_EXAMPLES:
        return None
    possible = [] if is_number else [match for what, looks in _SPECIFIC.items() if (match := _shared(what, looks, texts))]
    if not is_number and may_be_names and (names := _names(texts)) is not None:
        possible.append(names)
    possible.sort(key=lambda match: (not match.is_sure, -match.share))
    if possible and possible[0].share >= _NEARLY_ALL:
        return possible[0]
    for what, looks in _checked_numbers().items():
        misses, allowed = 0, (1 - _LOOKS_LIKE) * len(texts)
        for text in texts:
            misses += not looks(text)
            if misses > allowed:
                break
        else:
            return IdentifierMatch(what, 1 - misses / len(texts))
    return possible[0] if possible else None


def _shared(what: str, looks: Callable[[str], bool], texts: Sequence[str]) -> IdentifierMatch | None:
    """The match of a share of the values that is enough to be sure or unsure."""
    matches = sum(map(looks, texts))
    share = matches / len(texts)
    return IdentifierMatch(what, share, share >= _PRECISE) if matches > 1 and share >= _UNSURE else None


def _names(texts: Sequence[str]) -> IdentifierMatch | None:
    """The match of names of persons. The list of names is short, so that most columns of names have many that it lacks."""
    kinds = [kind for text in texts if (kind := name_kind(text)) is not None]
    share, is_full = len(kinds) / len(texts), 2 * kinds.count("full") > len(kinds)
    unsure, sure = (_UNSURE_NAMES, _PRECISE) if is_full else (_UNSURE_PARTS, _PARTS)
    if len(texts) < _MANY_NAMES:
        unsure = sure = 0.5 if is_full else 2
    if len(kinds) < _LEAST_NAMES or share < unsure:
        return None
    return IdentifierMatch("names of persons" if is_full else PARTS_OF_NAMES, share, share >= sure)


def _full(pattern: re.Pattern[str]) -> Callable[[str], bool]:
    return lambda text: pattern.fullmatch(text) is not None


def _is_iban(text: str) -> bool:
    from stdnum import iban

    return bool(iban.is_valid(text))


def _is_address(text: str) -> bool:
    """Whether it is an address, and not a version (4.1.0.2), which is written like one."""
    try:
        address = ip_address(text)
    except ValueError:
        return False
    return address.version == 6 or address.packed[0] == _PRIVATE or max(address.packed) > _GREATEST_OF_VERSIONS


_SPECIFIC: Mapping[str, Callable[[str], bool]] = {
    "e-mail addresses": _full(_MAIL),
    "IP addresses": _is_address,
    "MAC addresses": _full(_MAC),
    "URLs": _full(_URL),
    "UUIDs": _full(_UUID),
    "US social security numbers": _full(_SOCIAL_SECURITY),
    "geographic coordinates": _full(_PLACE),
    "host names": _full(_HOST),
    "IBANs": lambda text: text[:2].isalpha() and _is_iban(text),
    "telephone numbers": lambda text: _SPECIFIC_PHONE.fullmatch(text) is not None and _DATE_OR_ZIP.fullmatch(text) is None,
}


@cache
def _checked_numbers() -> dict[str, Callable[[str], bool]]:
    """The numbers that python-stdnum checks, followed by those without a check digit."""

    from stdnum import imei, luhn

    def checked(module: str) -> Callable[[str], bool]:
        is_valid: Callable[[str], bool] = import_module(f"stdnum.{module}").is_valid
        return lambda text: len(text) >= _LEAST_DIGITS and is_valid(text)

    national = {f"national identification numbers ({country})": checked(module) for country, module in _NATIONAL.items()}
    return {
        "IBANs": _is_iban,
        "payment card numbers": lambda text: (
            text[:1] in ("3", "4", "5", "6") and 13 <= len(text.replace(" ", "")) <= 19 and luhn.is_valid(text.replace(" ", ""))
        ),
        "mobile device numbers (IMEI)": lambda text: len(text) in (15, 17) and imei.is_valid(text),
        **national,
        "telephone numbers": lambda text: _PHONE.fullmatch(text) is not None and _DATE_OR_ZIP.fullmatch(text) is None,
    }
