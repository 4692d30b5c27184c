"""Detection of direct identifiers by their values: e-mail and machine addresses, telephone numbers, numbers with a check digit."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from ipaddress import ip_address

from duckanon.dataset.locale_formats import foreign
from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import render

_EXAMPLES = 500
_MOST_ROWS, _MOST_CELLS = 10_000, 2_000_000
"""The examined part of the input: its first rows, fewer if it has many columns."""
_COLUMNS_AT_ONCE = 25
_LEAST_EXAMPLES = 5
_LOOKS_LIKE = 0.8
"""The share of the examples that must match."""
_WORDS = 6
"""Free text has more words than this on average."""
_LEAST_DIGITS = 7
"""Whole numbers with fewer digits are not compared with national numbers."""

_MAIL = re.compile(r"[^@\s]+@[^@\s]+\.[A-Za-z]{2,}")
_URL = re.compile(r"(https?|ftp)://\S+|www\.\S+\.\S+", re.IGNORECASE)
_PHONE = re.compile(r"(\+|00)[\d ()/.-]{7,22}|\(?0\d{1,5}\)?[ /.-]+[\d ()/.-]{4,18}|0\d{8,14}|\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}")
_DATE = re.compile(r"\d{1,2}[./-]\d{1,2}[./-](\d{4}|\d{2})")
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

    @property
    def is_of_persons(self) -> bool:
        """Whether each value belongs to one person; a machine or a place does not."""
        return self.what not in _OF_NO_PERSON

    def __str__(self) -> str:
        return f"its values look like {self.what} ({self.share:.0%} of those looked at)"


_OF_NO_PERSON = (
    "IP addresses",
    "MAC addresses",
    "URLs",
    "UUIDs",
    "geographic coordinates",
)


def identifier_matches(engine: Engine, columns: Sequence[Column]) -> dict[str, IdentifierMatch]:
    """The matches of columns of text and of long whole numbers, by examples of their values."""
    return looked_at(engine, columns)[0]


def looked_at(engine: Engine, columns: Sequence[Column]) -> tuple[dict[str, IdentifierMatch], dict[str, str], set[str]]:
    """The matches; advice about dates and numbers in the format of another locale; and the columns of free text."""
    alike, written, prose = {}, {}, set()
    for column, texts in _examples(engine, columns):
        if (match := matching(texts, is_number=not column.is_text)) is not None:
            alike[column.name] = match
        if column.is_text and (notation := foreign(texts)) is not None:
            written[column.name] = notation
        if column.is_text and sum(len(text.split()) for text in texts) > _WORDS * len(texts):
            prose.add(column.name)
    return alike, written, prose


def _examples(engine: Engine, columns: Sequence[Column]) -> list[tuple[Column, list[str]]]:
    """Some hundred distinct values of the first rows, for each column of text or whole numbers.

    They are in no message and no log.
    """
    judged = [column for column in columns if column.is_text or column.is_whole]
    if not judged:
        return []
    rows = min(_MOST_ROWS, _MOST_CELLS // len(judged) + 1)
    first = render("dataset/first_values", columns=[column.name for column in judged], rows=rows)
    engine.create_table(first, stage="looking at the values of the columns")
    examples = []
    for start in range(0, len(judged), _COLUMNS_AT_ONCE):
        batch = judged[start : start + _COLUMNS_AT_ONCE]
        statement = render("dataset/example_values", columns=[column.name for column in batch], examples=_EXAMPLES)
        texts: dict[int, list[str]] = {}
        for number, text in engine.query(statement):
            texts.setdefault(number, []).append(text.strip())
        examples += [(batch[number], held) for number, held in texts.items()]
    engine.drop(first.relation)
    return examples


def matching(texts: Sequence[str], *, is_number: bool = False) -> IdentifierMatch | None:
    """The match of at least four in five of the distinct values; None for fewer than five values."""
    if len(texts) < _LEAST_EXAMPLES:
        return None
    for what, looks in _checks(is_number=is_number):
        misses, allowed = 0, (1 - _LOOKS_LIKE) * len(texts)
        for text in texts:
            misses += not looks(text)
            if misses > allowed:
                break
        else:
            return IdentifierMatch(what, 1 - misses / len(texts))
    return None


def _checks(*, is_number: bool) -> Iterator[tuple[str, Callable[[str], bool]]]:
    if not is_number:
        yield from _MARKS.items()
    yield from _checked_numbers().items()


def _full(pattern: re.Pattern[str]) -> Callable[[str], bool]:
    return lambda text: pattern.fullmatch(text) is not None


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


_MARKS: Mapping[str, Callable[[str], bool]] = {
    "e-mail addresses": _full(_MAIL),
    "IP addresses": _is_address,
    "MAC addresses": _full(_MAC),
    "URLs": _full(_URL),
    "UUIDs": _full(_UUID),
    "US social security numbers": _full(_SOCIAL_SECURITY),
    "geographic coordinates": _full(_PLACE),
}


@cache
def _checked_numbers() -> dict[str, Callable[[str], bool]]:
    """The numbers that python-stdnum checks, followed by those without a check digit."""

    from stdnum import iban, imei, luhn

    def checked(module: str) -> Callable[[str], bool]:
        is_valid: Callable[[str], bool] = import_module(f"stdnum.{module}").is_valid
        return lambda text: len(text) >= _LEAST_DIGITS and is_valid(text)

    national = {f"national identification numbers ({country})": checked(module) for country, module in _NATIONAL.items()}
    return {
        "IBANs": iban.is_valid,
        "payment card numbers": lambda text: (
            text[:1] in ("3", "4", "5", "6") and 13 <= len(text.replace(" ", "")) <= 19 and luhn.is_valid(text.replace(" ", ""))
        ),
        "mobile device numbers (IMEI)": lambda text: len(text) in (15, 17) and imei.is_valid(text),
        **national,
        "telephone numbers": lambda text: _PHONE.fullmatch(text) is not None and _DATE.fullmatch(text) is None,
    }
