"""One table in every form of output."""

import random
from collections import Counter
from pathlib import Path
from typing import Any

import duckdb

CITIES = (None, "", "a/b", "50%", "é", " ", "=", "a=b", "plain", "NULL", "c:d", 'e"f', "%2F", "..", "*?[")


_CHOICE = random.Random(1)


ROWS: list[dict[str, Any]] = [
    {
        "age": 20 + number % 7,
        "sex": _CHOICE.choice(["Female", "Male"]),
        "city": _CHOICE.choice(CITIES),
        "pay": number * 0.5,
        "note": _CHOICE.choice([None, "", "a, b", 'a "b"', "a\nb", "a\tb"]),
    }
    for number in range(300)
]


NAMES = tuple(ROWS[0])


READING = "header = true, quote = '\"', escape = '\"', auto_detect = false, allow_quoted_nulls = false, new_line = '\\n'"


COLUMNS = "columns = {age: 'varchar', sex: 'varchar', city: 'varchar', pay: 'double', note: 'varchar'}"


ASKED = ("--qi", "age,sex", "--hierarchies", "adult/five-year", "--k", "2", "--levels", "age=1,sex=0")


KEPT = ("--keep", "city,pay,note")


Multiset = Counter[tuple[Any, ...]]


def in_text(folder: Path, name: str, delimiter: str, compression: str = "none") -> str:
    return f"read_csv('{folder / name}', delim = '{delimiter}', compression = '{compression}', {READING}, {COLUMNS})"


def rows_in(relation: str, database: Path | None = None) -> Multiset:
    connection = duckdb.connect()
    if database is not None:
        connection.execute(f"attach '{database}' as released (read_only)")
    return Counter(connection.execute(f"select {', '.join(NAMES)} from {relation}").fetchall())


EXPECTED: Multiset = Counter(
    (f"[{row['age'] // 5 * 5}, {row['age'] // 5 * 5 + 5})", row["sex"], row["city"], row["pay"], row["note"]) for row in ROWS
)
