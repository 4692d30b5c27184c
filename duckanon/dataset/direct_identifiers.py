"""Values that look as what identifies a person directly does: addresses of mail and machines, telephones, numbers with a check digit."""

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
"""How much of the input is looked at: its first rows, fewer where they have many columns."""
_COLUMNS_AT_ONCE = 25
_LEAST_EXAMPLES = 5
_LOOKS_LIKE = 0.8
"""Of the examples, so many must look like one."""
_LEAST_DIGITS = 7
"""Whole numbers with fewer digits are not held against national numbers."""

_MAIL = re.compile(r"[^@\s]+@[^@\s]+\.[A-Za-z]{2,}")
_URL = re.compile(r"(https?|ftp)://\S+|www\.\S+\.\S+", re.IGNORECASE)
_PHONE = re.compile(r"(\+|00)[\d ()/.-]{7,22}|\(?0\d{1,5}\)?[ /.-]+[\d ()/.-]{4,18}|0\d{8,14}|\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}")
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
"""The module of python-stdnum that knows the check digits of a country's number of persons."""
_SOCIAL_SECURITY = re.compile(r"(?!000|666|9\d\d)\d{3}-(?!00)\d\d-(?!0000)\d{4}")


@dataclass(frozen=True)
class Resemblance:
    """What the values of a column look like, and how many of the examples do."""

    what: str
    share: float

    @property
    def is_of_persons(self) -> bool:
        """Whether each such value belongs to one person, as a machine or a place does not."""
        return self.what not in _OF_NO_PERSON

    def __str__(self) -> str:
        return f"its values look like {self.what} ({self.share:.0%} of those looked at)"


_OF_NO_PERSON = (
    "IP addresses",
    "addresses of machines (MAC)",
    "URLs",
    "numbers of devices or records (UUID)",
    "places by latitude and longitude",
)


def resemblances(engine: Engine, columns: Sequence[Column]) -> dict[str, Resemblance]:
    """What columns of text and of long whole numbers look like, by examples of their values."""
    return looked_at(engine, columns)[0]


def looked_at(engine: Engine, columns: Sequence[Column]) -> tuple[dict[str, Resemblance], dict[str, str]]:
    """The same; and of columns of text what is to be said of dates and numbers that are written as a country does."""
    alike, written = {}, {}
    for column, texts in _examples(engine, columns):
        if (resemblance := resembling(texts, is_number=not column.is_text)) is not None:
            alike[column.name] = resemblance
        if column.is_text and (notation := foreign(texts)) is not None:
            written[column.name] = notation
    return alike, written


def _examples(engine: Engine, columns: Sequence[Column]) -> list[tuple[Column, list[str]]]:
    """Some hundred different values of the first rows, of each column of text and of whole numbers.

    They are looked at and forgotten: they stand in no message and no log.
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


def resembling(texts: Sequence[str], *, is_number: bool = False) -> Resemblance | None:
    """What at least four in five of some different values look like; None for fewer than five values."""
    if len(texts) < _LEAST_EXAMPLES:
        return None
    for what, looks in _checks(is_number=is_number):
        misses, allowed = 0, (1 - _LOOKS_LIKE) * len(texts)
        for text in texts:
            misses += not looks(text)
            if misses > allowed:
                break
        else:
            return Resemblance(what, 1 - misses / len(texts))
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
    "addresses of machines (MAC)": _full(_MAC),
    "URLs": _full(_URL),
    "numbers of devices or records (UUID)": _full(_UUID),
    "social security numbers of the United States": _full(_SOCIAL_SECURITY),
    "places by latitude and longitude": _full(_PLACE),
}


@cache
def _checked_numbers() -> dict[str, Callable[[str], bool]]:
    """The numbers that python-stdnum can check, and what has no check digit behind them."""

    from stdnum import iban, imei, luhn

    def checked(module: str) -> Callable[[str], bool]:
        is_valid: Callable[[str], bool] = import_module(f"stdnum.{module}").is_valid
        return lambda text: len(text) >= _LEAST_DIGITS and is_valid(text)

    national = {f"numbers of persons of {country}": checked(module) for country, module in _NATIONAL.items()}
    return {
        "IBANs": iban.is_valid,
        "numbers of payment cards": lambda text: (
            text[:1] in ("3", "4", "5", "6") and 13 <= len(text.replace(" ", "")) <= 19 and luhn.is_valid(text.replace(" ", ""))
        ),
        "numbers of telephones that are carried (IMEI)": lambda text: len(text) in (15, 17) and imei.is_valid(text),
        **national,
        "telephone numbers": lambda text: _PHONE.fullmatch(text) is not None,
    }
