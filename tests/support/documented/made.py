"""The files that the pages use, generated with a fixed seed."""

import contextlib
import csv
import random
import re
from collections.abc import Callable, Iterable
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from duckanon.workflows import demo
from tests.support.documented.blocks import blocks
from tests.support.paths import ROOT
from tests.support.rows import write_parquet, write_table

_POSTCODES = [f"1{area}{street:02}" for area in ("01", "04", "05", "22") for street in (15, 17, 43, 78)]
_DIAGNOSES = ["asthma", "diabetes", "flu", "gastritis", "migraine"]
_FIRST = ["Ada", "Ben", "Cleo", "Dan", "Eva", "Finn"]
_COUNT = 2400


def _patients(seed: int) -> list[dict[str, Any]]:
    chance = random.Random(seed)
    return [
        {
            "name": f"{chance.choice(_FIRST)} {chance.choice(_FIRST)}son {number}",
            "insurance-number": f"K{seed:03}{number:06}",
            "birth-year": round(chance.triangular(1935, 2005, 1965)),
            "sex": chance.choice("fm"),
            "postcode": chance.choice(_POSTCODES),
            "admitted": date(2026, 1, 1) + timedelta(days=chance.randrange(365)),
            "diagnosis": chance.choice(_DIAGNOSES),
        }
        for number in range(_COUNT)
    ]


def _write_visits(path: Path) -> None:
    """Run the program of the page on hospital visits, which writes two months."""
    page = (ROOT / "docs/how-to/hospital-visits.md").read_text(encoding="utf-8")
    program = next(block.text for block in blocks("hospital-visits.md", page) if block.language == "python")
    with contextlib.chdir(path.parent):
        exec(compile(program, path.name, "exec"), {})


def _write_csv(path: Path, rows: list[dict[str, Any]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def _write_export(path: Path) -> None:
    """Dates and numbers as Germans write them."""
    chance = random.Random(8)
    rows = [
        f"{chance.randrange(1, 29):02}.{chance.randrange(1, 13):02}.{chance.randrange(1940, 2000)};1.{chance.randrange(100, 999)},50"
        for _ in range(2000)
    ]
    path.write_text("\n".join(["geboren;betrag", *rows, ""]), encoding="utf-8")


def _write_uci(path: Path) -> None:
    """Adult as UCI gives it: no names, a blank behind each comma, a blank last line."""
    folder = path.with_suffix(".folder")
    folder.mkdir()
    demo.demo(folder / "adult.csv")
    _, *lines = (folder / "adult.csv").read_text(encoding="utf-8").splitlines()
    path.write_text("".join(f"{line.replace(',', ', ')}\n" for line in [*lines, ""]), encoding="utf-8")


_JOB = """\
version: 1
source: patients.parquet
columns:
  birth-year: {role: quasi-identifier, hierarchy: years.yaml}
  sex: {role: quasi-identifier, hierarchy: sex.csv}
  postcode: {role: quasi-identifier, hierarchy: postcode.csv}
  diagnosis: {role: sensitive}
privacy:
  - {model: k-anonymity, k: 5}
"""

MADE: dict[str, Callable[[Path], object]] = {
    "adult.parquet": demo.demo,
    "patients.csv": lambda path: _write_csv(path, _patients(1)),
    "patients-2027.csv": lambda path: _write_csv(path, _patients(2)),
    "patients.parquet": lambda path: write_parquet(path, _patients(1)),
    "patients-2027.parquet": lambda path: write_parquet(path, _patients(2)),
    "adult.data": _write_uci,
    "export.csv": _write_export,
    "visits.csv": _write_visits,
    "years.yaml": lambda path: path.write_text("kind: intervals\nwidths: [5, 10, 20]\n"),
    "sex.csv": lambda path: write_table(path, [["f", "*"], ["m", "*"]]),
    "postcode.csv": lambda path: write_table(path, [[postcode, f"{postcode[:3]}xx", "*"] for postcode in _POSTCODES]),
    "job.yaml": lambda path: path.write_text(_JOB),
}
"""How each file is made, by its name."""


def lay(folder: Path, texts: Iterable[str]) -> None:
    """Makes the files that are named in some blocks, but for one that `duckanon demo` makes there."""
    text = "\n".join(texts)
    if "job.yaml" in text:
        text += _JOB
    for name, make in MADE.items():
        if re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-]|\.\w)", text) and not _is_made(name, text):
            make(folder / name)


def _is_made(name: str, text: str) -> bool:
    """Whether the blocks make the file themselves: by `-o`, by `duckanon demo`, or by their Python program."""
    return bool(re.search(rf"(?:-o|path:) {re.escape(name)}", text)) or (name, True) in (
        ("adult.parquet", "duckanon demo" in text),
        ("visits.csv", "csv.writer" in text),
    )
