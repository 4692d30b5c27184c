"""The runs that the pictures show: made-up data, the command line in this process, and the workspaces of its runs."""

import csv
import io
import os
import random
import re
import shlex
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any
from unittest.mock import patch

import duckdb
from typer import rich_utils

from duckanon.cli import app
from duckanon.cli.output import ConsoleObserver

WORKSPACE, REGIONS, PATIENTS = "hidden/adult.duckdb", "hidden/regions.duckdb", "hidden/patients.duckdb"
"""The workspaces: of a release of `adult.parquet` with detected roles, of one by `mondrian`, of one of `patients.csv`."""
FOUR = "hidden/four.duckdb"
"""The workspace of a release of `adult.parquet` with four quasi-identifiers."""
SEARCH = "hidden/search.duckdb"
"""The workspace of a release of `adult.parquet` with k = 20."""
EDUCATION = "hidden/education.duckdb"
"""The workspace of a release of `adult.parquet` in which education is generalized."""
CLOSE = "close"
"""The folder of a release of `patients.csv` that satisfies t-closeness too."""

_JOB = """\
version: 1
source: patients.csv
columns:
  name:      {role: identifying}
  insurance: {role: identifying, mask: {last: 2}}
  age:       {role: quasi-identifier, hierarchy: {kind: intervals, widths: [5, 10, 20, 40]}}
  sex:       {role: quasi-identifier, hierarchy: {kind: flat}}
  postcode:  {role: quasi-identifier, hierarchy: {kind: redaction}}
  diagnosis: {role: sensitive}
privacy:
  - {model: k-anonymity, k: 5}
suppression: {limit: 2%, style: drop}
output: {path: patients.anonymized.csv, shuffle: false}
about: {purpose: study of admissions, controller: the hospital, recipient: the university, review: 2028-01-01}
"""
_SECONDS = re.compile(r"\b\d+(\.\d+)? s\b")


def make(folder: Path) -> None:
    """Fill a folder with the data and the releases that the pictures are drawn from."""
    (folder / "hidden").mkdir()
    (folder / CLOSE).mkdir()
    for place in (folder, folder / CLOSE):
        _patients(place / "patients.csv")
        (place / "job.yaml").write_text(_JOB, encoding="utf-8")
    four, patients = "age,sex,race,marital-status", "duckanon anonymize --job job.yaml"
    for command in (
        "duckanon demo",
        "duckanon demo --rows 2000 -o hidden/sample.parquet",
        f"duckanon anonymize adult.parquet -o hidden/adult.parquet --workspace {WORKSPACE}",
        f"duckanon anonymize adult.parquet -o hidden/four.parquet --workspace {FOUR} --qi {four} --hierarchies adult/five-year",
        f"duckanon anonymize adult.parquet -o hidden/search.parquet --workspace {SEARCH} --qi {four} --hierarchies adult/five-year "
        "--k 20 --max-suppression 1%",
        f"duckanon anonymize adult.parquet -o hidden/education.parquet --workspace {EDUCATION} --qi {four},education "
        "--hierarchies adult/life-stages",
        f"duckanon anonymize hidden/sample.parquet --workspace {REGIONS} --qi age,hours-per-week --algorithm mondrian --k 60",
        f"{patients} --workspace {PATIENTS}",
    ):
        run(folder, command if command.startswith("duckanon demo") else f"{command} --threads 1")
    run(folder / CLOSE, f"{patients} --require t=0.3 --max-suppression 10% --threads 1")


def run(folder: Path, command: str, *, width: int = 100, code: int = 0) -> str:
    """What a command prints to a terminal: both streams in order, with the codes of their colours, without progress bars.

    `code` is the exit code that it has to end with.
    """
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    variables = {"COLUMNS": str(width), "FORCE_COLOR": "1", "TERM": "xterm", "COLORTERM": ""}
    with (
        patch.dict(os.environ, variables),
        patch.object(sys, "argv", shlex.split(command)),
        patch.object(rich_utils, "FORCE_TERMINAL", True),
        patch.object(ConsoleObserver, "stage", lambda *_: None),
        chdir(folder),
        redirect_stdout(out),
        redirect_stderr(out),
    ):
        os.environ.pop("NO_COLOR", None)
        ended = app.run()
    printed = _SECONDS.sub("0.1 s", out.buffer.getvalue().decode())
    if ended != code:
        raise RuntimeError(f"exit code {ended} of {command}\n{printed}")
    return printed


def query(folder: Path, workspace: str, sql: str) -> list[tuple[Any, ...]]:
    """The rows of a query on a workspace."""
    with duckdb.connect(str(folder / workspace), read_only=True) as connection:
        return connection.execute(sql).fetchall()


def shown(folder: Path, workspace: str, sql: str, *, width: int, rows: int) -> str:
    """The table that DuckDB prints for a query."""
    with duckdb.connect(str(folder / workspace), read_only=True) as connection, redirect_stdout(io.StringIO()) as out:
        connection.sql(sql).show(max_width=width, max_rows=rows)
    return out.getvalue().rstrip("\n")


def rows(path: Path) -> list[list[str]]:
    """The rows of a CSV file, the first of them its names."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


_FIRST = {
    "F": "Ada Clara Emma Hanna Ida Jana Lena Maria Nora Paula",
    "M": "Adam Anton Emil Finn Jakob Karl Leon Noah Otto Paul",
}
_LAST = ("Berg Brunn Hoch Kirch Linden Nieder Ober Rosen Stein Wald", "bauer eder egger er hofer huber inger maier mann wirt")
_DIAGNOSES = {
    "asthma": (8, 5, 3),
    "cancer": (1, 4, 9),
    "depression": (6, 7, 4),
    "diabetes": (1, 5, 9),
    "fracture": (9, 4, 6),
    "hypertension": (1, 7, 12),
    "influenza": (10, 6, 4),
    "migraine": (6, 5, 1),
}
"""How frequent a diagnosis is below 35 years, below 60, and above."""


def _patients(path: Path, rows: int = 1_500) -> None:
    """A table of a hospital. All of it is made up; the same call writes the same rows."""
    chance = random.Random(11)
    names = {
        sex: [f"{first} {begin}{end}" for first in firsts.split() for begin in _LAST[0].split() for end in _LAST[1].split()]
        for sex, firsts in _FIRST.items()
    }
    for of_sex in names.values():
        chance.shuffle(of_sex)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["name", "insurance", "age", "sex", "postcode", "diagnosis"])
        for _ in range(rows):
            age, sex = min(94, int(chance.triangular(18, 96, 48))), chance.choice("FM")
            [diagnosis] = chance.choices(
                list(_DIAGNOSES), [weights[(age >= 35) + (age >= 60)] for weights in _DIAGNOSES.values()]
            )
            postcode = 1000 + 10 * int(chance.triangular(0, 24, 4))
            writer.writerow([names[sex].pop(), chance.randrange(10**7, 10**8), age, sex, postcode, diagnosis])
