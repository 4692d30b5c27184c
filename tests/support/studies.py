"""Forty tables of persons as people have them, made from `studies.txt`, with an expert's decision for each column."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

_FIRST = [
    "Maria",
    "John",
    "Fatima",
    "Chen",
    "Aisha",
    "Peter",
    "Olga",
    "Carlos",
    "Ingrid",
    "Kofi",
    "Elena",
    "Mark",
    "Anna",
    "Luca",
    "Sofia",
    "Ivan",
]
_LAST = [
    "Kovac",
    "Smith",
    "Diallo",
    "Wang",
    "Haddad",
    "Novak",
    "Petrova",
    "Garcia",
    "Larsen",
    "Mensah",
    "Rossi",
    "Brown",
    "Fischer",
    "Silva",
    "Khan",
    "Berg",
]
_CITIES = ["Bonn", "Kiel", "Trier", "Ulm", "Jena", "Hof", "Plauen", "Emden"]
_START = datetime(2021, 1, 1)


def _name(draw: Random) -> str:
    return f"{draw.choice(_FIRST)} {draw.choice(_LAST)}"


def _number(draw: Random, of: str) -> int:
    mean, deviation = map(float, of.split(","))
    return max(0, round(draw.gauss(mean, deviation)))


_KINDS: dict[str, Callable[[Random, str], Any]] = {
    "key": lambda draw, _: f"{draw.choice('ABC')}{draw.randrange(10**8):08d}",
    "uuid": lambda draw, _: f"{draw.getrandbits(64):016x}",
    "name": lambda draw, _: _name(draw),
    "email": lambda draw, _: f"{_name(draw).replace(' ', '.').lower()}{draw.randrange(999)}@example.org",
    "phone": lambda draw, _: f"+1 555 {draw.randrange(10**7):07d}",
    "ssn": lambda draw, _: f"{draw.randrange(1, 899):03d}-{draw.randrange(1, 99):02d}-{draw.randrange(1, 9999):04d}",
    "ip": lambda draw, _: f"10.{draw.randrange(256)}.{draw.randrange(256)}.{draw.randrange(1, 255)}",
    "address": lambda draw, _: f"{draw.randrange(1, 400)} {draw.choice(_LAST)} Street",
    "prose": lambda draw, _: (
        f"Seen by Dr. {_name(draw)} on day {draw.randrange(90)}, who reports that the pain is now {draw.randrange(10)} of 10."
    ),
    "dob": lambda draw, _: (datetime(1940, 1, 1) + timedelta(days=draw.randrange(25_000))).date(),
    "date": lambda draw, _: (_START + timedelta(days=draw.randrange(365))).date(),
    "time": lambda draw, _: _START + timedelta(minutes=draw.randrange(40_000)),
    "hour": lambda draw, _: f"{draw.randrange(24):02d}:00",
    "year": lambda draw, _: draw.randrange(1940, 2004),
    "age": lambda draw, _: min(95, max(18, round(draw.gauss(47, 16)))),
    "sex": lambda draw, _: draw.choice(("female", "male")),
    "zip": lambda draw, _: f"{draw.choice(('100', '112', '606'))}{draw.randrange(20):02d}",
    "city": lambda draw, _: draw.choices(_CITIES, range(8, 0, -1))[0],
    "lat": lambda draw, _: round(draw.gauss(50, 0.2), 5),
    "lon": lambda draw, _: round(draw.gauss(8, 0.2), 5),
    "money": lambda draw, _: round(draw.lognormvariate(7, 0.7), 2),
    "float": lambda draw, _: round(draw.gauss(1, 0.3), 4),
    "likert": lambda draw, _: draw.choices((1, 2, 3, 4, 5, -9), (1, 2, 4, 3, 2, 0.3))[0],
    "num": _number,
    "cat": lambda draw, of: f"{chr(97 + draw.choices(range(int(of)), range(int(of), 0, -1))[0] % 26)}{int(of)}",
    "words": lambda draw, of: draw.choice(of.split(",")),
    "flag": lambda draw, of: int(draw.random() < float(of)),
    "yes": lambda draw, of: "Yes" if draw.random() < float(of) else "No",
    "const": lambda _draw, _: "Y",
    "empty": lambda _draw, _: None,
}


@dataclass(frozen=True)
class Study:
    """A table, and what an expert decides on each column."""

    name: str
    rows: int
    rows_per_person: int
    columns: dict[str, tuple[str, str]]
    """By name: the kind of its values, and the decision, as `studies.txt` explains them."""

    @property
    def decisions(self) -> dict[str, str]:
        return {name: decision for name, (_, decision) in self.columns.items()}

    def table(self) -> list[dict[str, Any]]:
        """Its rows, always the same."""
        rows: list[dict[str, Any]] = []
        for number in range(self.rows):
            person = number // self.rows_per_person
            row: dict[str, Any] = {}
            for name, (kind, _) in self.columns.items():
                draw = Random(f"{self.name}/{name}/{person if kind.startswith('@') else number}")
                kind, _, of = kind.removeprefix("@").partition(":")
                match kind:
                    case "rowno":
                        row[name] = number + 1
                    case "person":
                        row[name] = 100_000 + 7 * person
                    case "card":
                        row[name] = f"{(person * 7919) % 1_000_003:07d}"
                    case "copy":
                        row[name] = row[of]
                    case "uuid":
                        row[name] = _KINDS[kind](Random(f"{self.name}/{name}/{person}"), of)
                    case _:
                        row[name] = _KINDS[kind](draw, of)
            rows.append(row)
        Random(self.name).shuffle(rows)
        return rows


def studies() -> Iterator[Study]:
    """All studies of `studies.txt`."""
    text = (Path(__file__).parent / "studies.txt").read_text()
    for part in text.split("\n\n")[1:]:
        (name, rows, each), *columns = (line.split() for line in part.strip().splitlines())
        yield Study(name, int(rows), int(each), {column: (kind, decision) for column, kind, decision in columns})
