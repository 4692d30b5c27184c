"""Synthetic patients, a naive release of them, and how an attacker reads a release. It uses no code of duckanon."""

import csv
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import date, timedelta
from functools import cache
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

Row = dict[str, Any]

K = 5
QI = ("age", "sex", "zip")
OLDEST = 113
SECRET_NAME = "Zebedee Quixworth"
SECRET_ZIP = "QXZ07"
SECRET_ILLNESS = "kuru (laughing sickness)"
SECRETS = (SECRET_NAME, SECRET_ZIP, SECRET_ILLNESS)
"""Of the one person who lives elsewhere, is the oldest, and has an illness of her own: every k suppresses her."""

COLUMNS: dict[str, Any] = {
    "age": {"role": "quasi-identifier", "hierarchy": {"kind": "intervals", "widths": [5, 10, 20]}},
    "sex": {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}},
    "zip": {"role": "quasi-identifier", "hierarchy": {"kind": "redaction", "length": 5, "steps": [1, 2, 3, 5]}},
    "illness": {"role": "sensitive"},
    "reading": {"role": "sensitive"},
}
JOB: dict[str, Any] = {"columns": COLUMNS, "privacy": [{"model": "k-anonymity", "k": K}]}
"""What we are asked for: the same as `bands` makes by hand."""


def patients(number: int = 4_000, seed: int = 1) -> list[Row]:
    """People in the order in which four hospitals took them in. `reading` is a measurement that the lab alone knows.

    It is unlike for everyone, so that a test can tell whether an attacker, who is never shown it, named the right person.
    """
    choice = Random(seed)
    readings = choice.sample(range(10**6, 10**7), number)
    rows: list[Row] = [
        {
            "person": 40_000 + index,
            "name": f"Person {index}",
            "age": 18 + int(choice.triangular(0, 70, 20)),
            "sex": choice.choice("fm"),
            "zip": f"{53_700 + choice.randrange(40)}",
            "hospital": f"hospital-{(index * 4 // number) + 1}",
            "day": date(2024, 1, 1) + timedelta(days=index * 60 // number),
            "illness": choice.choice(("flu", "asthma", "cancer", "cold")),
            "reading": readings[index],
        }
        for index in range(number)
    ]
    rows[number // 3] |= {"name": SECRET_NAME, "age": OLDEST, "zip": SECRET_ZIP, "illness": SECRET_ILLNESS}
    return rows


def bands(people: Iterable[Row], k: int = K) -> list[Row]:
    """The release of a reasonable engineer: ages by decade, three digits of the ZIP code, classes below k left out."""
    shown = [
        {
            "age": f"[{row['age'] // 10 * 10}, {row['age'] // 10 * 10 + 10})",
            "sex": row["sex"],
            "zip": f"{row['zip'][:3]}**",
            "illness": row["illness"],
            "reading": row["reading"],
        }
        for row in people
    ]
    sizes = Counter(class_of(row) for row in shown)
    return [row for row in shown if sizes[class_of(row)] >= k]


def class_of(row: Row) -> tuple[Any, ...]:
    return tuple(row[name] for name in QI)


def write(path: Path, rows: Sequence[Row]) -> Path:
    """A file in the order of the rows: CSV or Parquet."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".csv":
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
    else:
        pq.write_table(pa.Table.from_pylist(list(rows)), path)
    return path


def read(path: Path) -> list[Row]:
    """A release in the order of its bytes: a file, or a folder of files, whose names tell columns."""
    if path.is_dir():
        return [
            told_by(file, path) | row
            for file in sorted(path.rglob("*"))
            if file.suffix in (".parquet", ".csv")
            for row in read(file)
        ]
    if path.suffix == ".csv":
        with path.open(newline="", encoding="utf-8") as file:
            return [row | {"reading": int(row["reading"])} for row in csv.DictReader(file)]
    rows: list[Row] = pq.ParquetFile(path).read().to_pylist()
    return rows


def told_by(file: Path, root: Path) -> Row:
    """The columns that the folders of a file name."""
    parts = file.relative_to(root).parts[:-1]
    return {name: value for name, mark, value in (part.partition("=") for part in parts) if mark}


@cache
def fits(label: object, value: object) -> bool:
    """Whether a label may stand for a value, as anybody reads it."""
    text = str(label)
    if text in ("*", str(value)):
        return True
    if isinstance(value, str):
        return len(text) == len(value) and "*" in text and value.startswith(text.rstrip("*"))
    if match := re.fullmatch(r"\[(.+), (.+)([)\]])", text):
        least, most, end = match.groups()
        below = read_as(most, value)
        return bool(read_as(least, value) <= value and (value < below or (end == "]" and value == below)))
    if match := re.fullmatch(r"(<=|>=|<|>) ?(.+)", text):
        bound = read_as(match[2], value)
        return bool({"<=": value <= bound, ">=": value >= bound, "<": value < bound, ">": value > bound}[match[1]])
    return False


def read_as(text: str, like: Any) -> Any:
    """A bound of a label in the type of the values."""
    return date.fromisoformat(text) if isinstance(like, date) else float(text)


def candidates(shown: Iterable[Row], people: Sequence[Row], names: Sequence[str] = QI) -> dict[tuple[Any, ...], list[int]]:
    """For each class of the release the people who fit it, by their numbers."""
    collected: dict[tuple[Any, ...], list[int]] = {}
    for labels in {tuple(row[name] for name in names) for row in shown}:
        collected[labels] = [
            number
            for number, person in enumerate(people)
            if all(fits(label, person[name]) for label, name in zip(labels, names, strict=True))
        ]
    return collected


def by_position(shown: Sequence[Row], people: Sequence[Row], key: Callable[[Row], Any] | None = None) -> list[int | None]:
    """Names a person for each released row: within a class the first row is the first of the people who fit, and so on.

    `key` is the order in which the attacker thinks that the people were written; their own order where it is None.
    """
    order = range(len(people)) if key is None else sorted(range(len(people)), key=lambda number: key(people[number]))
    place = {number: position for position, number in enumerate(order)}
    fitting = {labels: sorted(rows, key=place.__getitem__) for labels, rows in candidates(shown, people).items()}
    rows = defaultdict(list)
    for number, row in enumerate(shown):
        rows[class_of(row)].append(number)
    guesses: list[int | None] = [None] * len(shown)
    for labels, numbers in rows.items():
        possible = fitting[labels]
        for position, number in enumerate(numbers):
            if possible:
                guesses[number] = possible[position * len(possible) // len(numbers)]
    return guesses


def right(guesses: Sequence[int | None], shown: Sequence[Row], people: Sequence[Row]) -> float:
    """The share of released rows whose person was named."""
    pairs = zip(guesses, shown, strict=True)
    hits = [row for guess, row in pairs if guess is not None and people[guess]["reading"] == row["reading"]]
    return len(hits) / len(shown)


def luck(shown: Sequence[Row], times: float = 6) -> float:
    """What guessing inside the classes gives, and six standard deviations: one right guess is expected in each class."""
    classes = len({class_of(row) for row in shown})
    return (classes + times * sqrt(classes)) / len(shown)


def percent(share: float, of: str) -> str:
    return f"{share:.1%} of {of}"
