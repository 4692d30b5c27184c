"""The labels of releases of forty tables and of made ones: one notation of ranges in a column, groups whose members are listed, types."""

import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import pytest

from duckanon.job.options import Options
from duckanon.workflows.report import report
from tests.support import levels
from tests.support.rows import read_rows, write_parquet
from tests.support.runs import anonymize, apply
from tests.support.studies import studies

STUDIES = {study.name: study for study in studies()}
SAMPLE = ("voters", "survey")
NUMBER = r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?"
DAY = r"\d{4}-\d\d-\d\d"
END = rf"(?:{DAY}(?: \d\d:\d\d(?::\d\d(?:\.\d+)?)?)?|{NUMBER})"
NOTATIONS: Mapping[str, str] = {
    "*": r"\*+",
    "closed range": rf"\[{END}, {END}\]|(?:<=|>=) {END}",
    "half-open range": rf"\[{END}, {END}\)|(?:<|>=){END}",
    "set": r"\{.*\}",
    "group": r"group \d+ of .*",
    "prefix": r"[^*]+\*+",
    "month": r"\d{4}-\d\d",
    "quarter": r"\d{4}-Q\d",
    "day": DAY,
}
"""Of a label: the first that fits; else it is a plain value."""
RANGES = ("closed range", "half-open range")


def notation(label: str) -> str:
    return next((name for name, pattern in NOTATIONS.items() if re.fullmatch(pattern, label)), "value")


def labels_of(output: Path, names: Sequence[str]) -> dict[str, list[str]]:
    """The labels of each quasi-identifier in the file as text, NULL left out."""
    return {
        name: [
            label
            for (label,) in duckdb.execute(
                f"""select distinct cast("{name}" as varchar) from '{output}' order by 1"""
            ).fetchall()
            if label is not None
        ]
        for name in names
    }


def faults(column: str, labels: Sequence[str], values: Sequence[Any], members: Mapping[str, str]) -> list[str]:
    """The faults of labels: ranges in several notations, cut dates, sets of many names, groups whose members are not listed, and empty decimals."""
    kinds = {label: notation(label) for label in labels}
    ranges = {kind for kind in kinds.values() if kind in RANGES}
    wrong = [f"{column} mixes {sorted(ranges)}"] if len(ranges) > 1 else []
    if isinstance(next((value for value in values if value is not None), None), date):
        wrong += [f"{column} cuts a date: {label}" for label in labels if re.search(r"\d{3,}\*+", label)]
    for label, kind in kinds.items():
        if kind == "set" and len(label[1:-1].split(", ")) not in (2, 3):
            wrong.append(f"{column} lists too many names: {label}")
        if kind == "group" and not members.get(label):
            wrong.append(f"{column} does not say who is in {label}")
        if kind == "closed range" and re.search(r"\.0\b", label):
            wrong.append(f"{column} shows an empty decimal: {label}")
    return wrong


def saved_groups(output: Path) -> dict[str, set[str]]:
    """The values of each label of all value tables of the saved recoding."""
    groups: dict[str, set[str]] = {}
    for file in output.with_name(f"{output.name}.recoding").glob("hierarchy_*.parquet"):
        for value, *labels in duckdb.execute(f"from '{file}'").fetchall():
            for label in labels:
                groups.setdefault(label, set()).add(value)
    return groups


@pytest.mark.parametrize("name", levels.sampled(list(STUDIES), list(SAMPLE)))
def test_the_labels_of_a_study_can_be_read(name: str, tmp_path: Path) -> None:
    table, output = STUDIES[name].table(), tmp_path / "out.parquet"
    manifest = anonymize(write_parquet(tmp_path / "in.parquet", table), output)
    names = [column for column, role in manifest["columns"].items() if role == "quasi-identifier"]
    shown, saved = labels_of(output, names), saved_groups(output)
    members = {label: ", ".join(sorted(map(str, values))) for label, values in saved.items()}
    wrong = [fault for column in names for fault in faults(column, shown[column], [row[column] for row in table], members)]
    assert not wrong, wrong
    for column, labels in shown.items():
        for label in labels:
            if notation(label) == "set":
                assert saved[label] == set(label[1:-1].split(", ")), column


@pytest.mark.parametrize(
    ("labels", "fault"),
    [
        (["[19, 21]", "<20"], "mixes"),
        (["{a, b, c, d}"], "too many"),
        (["group 1 of c"], "who is in"),
        (["[1.0, 2.5]"], "empty decimal"),
        (["202*******"], "cuts a date"),
    ],
)
def test_labels_that_cannot_be_read_are_found(labels: list[str], fault: str) -> None:
    [named] = faults("c", labels, [date(2020, 1, 1)], {})
    assert fault in named


def people(count: int = 300) -> list[dict[str, Any]]:
    draw = Random(4)
    towns = ["Bonn", "Ulm", *(f"Hof {number}" for number in range(9))]
    return [
        {
            "born": date(1950, 1, 1) + timedelta(days=draw.randrange(2_000)),
            "seen": datetime(2021, 1, 1) + timedelta(minutes=draw.randrange(90_000)),
            "town": draw.choices(towns, (40, 30, *range(1, 10)))[0],
            "pay": round(draw.lognormvariate(7, 0.7), 2),
            "children": draw.randrange(12),
            "smokes": draw.randrange(2),
        }
        for _ in range(count)
    ]


def written(folder: Path, names: Sequence[str], **options: Any) -> tuple[Path, dict[str, str], dict[str, list[str]]]:
    """A release of `people`: its file, the types of its columns, and their labels."""
    source, output = write_parquet(folder / "in.parquet", people()), folder / "out.parquet"
    anonymize(source, output, options=Options(qi=list(names), k=5, **options), others="drop")
    types = {name: type for name, type, *_ in duckdb.execute(f"describe from '{output}'").fetchall()}
    return output, types, labels_of(output, names)


def test_both_algorithms_write_whole_numbers_alike(tmp_path: Path) -> None:
    for algorithm in ("optimal", "mondrian"):
        (tmp_path / algorithm).mkdir()
        _, _, labels = written(tmp_path / algorithm, ["children", "town", "smokes"], algorithm=algorithm, max_suppression=0.1)
        kinds = {notation(label) for label in labels["children"]}
        assert "closed range" in kinds
        assert kinds <= {"closed range", "value"}


def test_a_column_of_years_is_a_number(tmp_path: Path) -> None:
    output, types, labels = written(tmp_path, ["born"], levels={"born": 3})
    assert types == {"born": "BIGINT"}
    assert labels["born"] == [str(year) for year in range(1950, 1956)]
    assert {row["born"] for row in read_rows(output)} == set(range(1950, 1956))


def test_dates_of_which_one_is_missing_are_years_in_text(tmp_path: Path) -> None:
    """A missing value shows the top of the hierarchy, which is no year."""
    rows = [{"born": row["born"] if number % 30 else None} for number, row in enumerate(people())]
    source, output = write_parquet(tmp_path / "in.parquet", rows), tmp_path / "out.parquet"
    anonymize(source, output, options=Options(qi=["born"], k=5, levels={"born": 3}))
    shown = {row["born"] for row in read_rows(output)}
    assert shown - {None, "*"} == ({str(year) for year in range(1950, 1956)} if "*" in shown else set(range(1950, 1956)))


def test_whole_minutes_show_no_seconds(tmp_path: Path) -> None:
    output, _, labels = written(tmp_path, ["smokes", "seen"], algorithm="mondrian")
    assert all(re.fullmatch(NOTATIONS["closed range"], label) and not label.endswith(":00:00") for label in labels["seen"])
    apply(output.with_name("out.parquet.manifest.json"), tmp_path / "in.parquet", tmp_path / "again.parquet")
    assert sorted(map(str, read_rows(tmp_path / "again.parquet"))) == sorted(map(str, read_rows(output)))


def test_the_report_lists_who_is_in_a_numbered_group(tmp_path: Path) -> None:
    output, _, labels = written(tmp_path, ["town", "children", "pay"], algorithm="mondrian")
    numbered = [label for label in labels["town"] if notation(label) == "group"]
    report(output.with_name("out.parquet.manifest.json"), tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    saved = saved_groups(output)
    assert numbered
    for label in numbered:
        assert re.search(rf'<th scope="row">{label}</th><td class="prose">{", ".join(sorted(saved[label]))}</td>', text), label
