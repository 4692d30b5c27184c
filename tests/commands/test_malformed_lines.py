"""Lines of a CSV file that are no records: refused with line and reason, or left out and counted."""

import json
import re
from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.support.command_line import Cli, refused
from tests.support.rows import read_rows

RECORDS = [
    [str(number), str(20 + number % 7), ("north", 'the "far", south', "east\nwest")[number % 3]] for number in range(300)
]
SECRET = "Xavier"


def line(cells: list[str]) -> str:
    return ",".join('"' + cell.replace('"', '""') + '"' if set(cell) & set(',"\n') else cell for cell in cells) + "\n"


FAULTS = {
    "too few values": (f"7,{SECRET}\n", "has 2 values where there are 3 names"),
    "too many values": (f"7,20,{SECRET},x\n", "has 4 values where there are 3 names"),
    "an open quote": (f'7,20,"{SECRET}\n', "opens a quote that is never closed"),
    "text behind a quote": (f'7,20,"{SECRET}"d\n', "has text behind a quoted value"),
}


def content(*faults: tuple[int, str]) -> tuple[str, list[int]]:
    """The file with these lines before the records of these numbers, and the numbers of their lines."""
    text, numbers = "id,age,ward\n", []
    for number, cells in enumerate(RECORDS):
        for place, fault in faults:
            if place == number:
                numbers.append(text.count("\n") + 1)
                text += fault
        text += line(cells)
    return text, numbers


def expected() -> list[tuple[int, int, str]]:
    return [(int(number), int(age), ward) for number, age, ward in RECORDS]


OPTIONS = ("--qi age --keep id,ward --set accept=key@id --k 2 -o out.parquet --set output.shuffle=false",)


@pytest.mark.parametrize("case", FAULTS)
def test_a_malformed_line_is_refused_or_left_out_and_counted(cli: Cli, tmp_path: Path, case: str) -> None:
    fault, reason = FAULTS[case]
    text, [number] = content((200, fault))
    (tmp_path / "in.csv").write_text(text, encoding="utf-8")
    run = cli("anonymize", "in.csv", *OPTIONS)
    refused(run, 3, f"line {number} of 'in.csv'", "--set malformed=drop", narrates=True)
    assert SECRET not in run.err
    run = cli("anonymize", "in.csv", *OPTIONS, "--set", "malformed=drop", "--report", "report.html", code=0)
    assert SECRET not in run.err
    assert f"line {number:,} of 'in.csv' {reason}" in run.err
    assert "1 malformed line is left out" in run.err
    assert [tuple(row.values()) for row in read_rows(tmp_path / "out.parquet")] == expected()
    manifest = json.loads((tmp_path / "out.parquet.manifest.json").read_text(encoding="utf-8"))
    assert (manifest["rows"]["read"], manifest["rows"]["malformed"]) == (len(RECORDS), 1)
    assert re.search(r"1 malformed lines? left out", (tmp_path / "report.html").read_text(encoding="utf-8"))


def test_all_faults_of_a_file_are_left_out(cli: Cli, tmp_path: Path) -> None:
    faults = [(10 + 40 * number, fault) for number, (fault, _) in enumerate(FAULTS.values())]
    text, numbers = content(*faults, (299, FAULTS["an open quote"][0]))
    (tmp_path / "in.csv").write_bytes(text.encode())
    run = cli("anonymize", "in.csv", *OPTIONS, "--set", "malformed=drop", code=0)
    assert [tuple(row.values()) for row in read_rows(tmp_path / "out.parquet")] == expected()
    assert all(f"line {number:,} of" in run.err for number in numbers)


def test_later_files_and_other_commands_read_in_the_same_way(cli: Cli, tmp_path: Path) -> None:
    text, _ = content((100, FAULTS["too few values"][0]), (200, FAULTS["an open quote"][0]))
    (tmp_path / "in.csv").write_text(text, encoding="utf-8")
    assert cli("anonymize", "in.csv", *OPTIONS, "--set", "malformed=drop").code == 0
    run = cli("apply", "out.parquet.manifest.json", "in.csv", "-o", "applied.parquet", "--json", code=0)
    assert run.manifest["rows"]["malformed"] == 2
    for command in ("check", "risk", "profile"):
        qi = [] if command == "profile" else ["--qi", "age"]
        assert cli(command, "in.csv", *qi).code == 3
        run = cli(command, "in.csv", *qi, "--set", "malformed=drop", "--json", code=0)
        assert "2 malformed lines are left out" in run.err
        rows = json.loads(run.out)["rows"]
        assert (rows["read"] if isinstance(rows, dict) else rows) == len(RECORDS)


def test_a_file_of_malformed_lines_is_refused(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("id,age,ward\n" + "1,2\n" * 50 + "1,2,3\n" * 10, encoding="utf-8")
    refused(cli("anonymize", "in.csv", *OPTIONS, "--set", "malformed=drop"), 3, "50 lines", "delimiter", narrates=True)


@pytest.mark.parametrize("place", [3, 299])
def test_a_file_that_ends_inside_a_quoted_cell_names_the_line_where_the_quote_begins(
    cli: Cli, tmp_path: Path, place: int
) -> None:
    text, [number] = content((place, FAULTS["an open quote"][0]))
    (tmp_path / "in.csv").write_text(text[: text.index(SECRET) + 4] + "\n" + "1,20,z\n" * 50, encoding="utf-8")
    run = cli("anonymize", "in.csv", *OPTIONS)
    refused(run, 3, f"line {number} of 'in.csv' opens a quote that is never closed", narrates=True)


# Spreadsheets: which rows are the header and which are records, and dates that were typed as text


PEOPLE = [[20 + number % 5, ("north", "south", "west")[number % 3], f"w{number % 4}", "FM"[number % 2]] for number in range(40)]


def workbook(path: Path, rows: Sequence[Sequence[Any]], merged: Sequence[str] = ()) -> None:
    book = pytest.importorskip("openpyxl").Workbook()
    sheet = book.active
    for row in rows:
        sheet.append(row)
    for cells in merged:
        sheet.merge_cells(cells)
    book.save(path)


def released(cli: Cli, folder: Path, *more: str, qi: str = "age") -> list[dict[str, Any]]:
    cli("anonymize", "in.xlsx", "--qi", qi, "--others", "keep", "--k", "1", "-o", "out.parquet", *more, code=0)
    return read_rows(folder / "out.parquet")


HEADERS: dict[str, tuple[list[list[Any]], list[str], list[str]]] = {
    "one row": ([["age", "ward", None, "sex"]], ["B1:C1"], ["age", "ward", "ward_2", "sex"]),
    "two rows": (
        [["age", "ward", None, "sex"], [None, "first", "last", None]],
        ["B1:C1"],
        ["age", "ward first", "ward last", "sex"],
    ),
    "two rows, one merged": (
        [["age", "ward", None, "sex"], [None, "first", "last", None]],
        ["B1:C1", "A1:A2"],
        ["age", "ward first", "ward last", "sex"],
    ),
    "a title": ([["People"], ["age", "ward", None, "sex"]], ["A1:D1", "B2:C2"], ["age", "ward", "ward_2", "sex"]),
    "units below": (
        [["age", "ward", None, "sex"], ["years", "first", "last", "F or M"]],
        ["B1:C1"],
        ["age years", "ward first", "ward last", "sex F or M"],
    ),
    "line breaks": ([["age", "ward\n(first)", "ward\n(last)", "sex"]], [], ["age", "ward\n(first)", "ward\n(last)", "sex"]),
}


@pytest.mark.parametrize("case", HEADERS)
def test_a_merged_name_takes_no_record_for_names(cli: Cli, tmp_path: Path, case: str) -> None:
    rows, merged, names = HEADERS[case]
    workbook(tmp_path / "in.xlsx", [*rows, *PEOPLE], merged)
    actual = released(cli, tmp_path, qi=names[0])
    assert list(actual[0]) == names
    assert Counter(tuple(row.values()) for row in actual) == Counter(map(tuple, PEOPLE))


def test_a_merged_name_over_text_takes_no_record_for_names(cli: Cli, tmp_path: Path) -> None:
    """Nothing but the filled cells decides, and a record must never become a name, which is printed."""
    people = [row[1:] for row in PEOPLE]
    workbook(tmp_path / "in.xlsx", [["ward", None, "sex"], *people], ["A1:B1"])
    run = cli("profile", "in.xlsx", "--json", code=0)
    assert "w0" not in run.err
    assert [row["column"] for row in json.loads(run.out)["columns"]] == ["ward", "ward_2", "sex"]


def test_years_below_a_merged_name_are_names(cli: Cli, tmp_path: Path) -> None:
    records = [["ABC"[number % 3], 100 + number % 3, 200 + number % 4] for number in range(30)]
    workbook(tmp_path / "in.xlsx", [["age", "sales", None], [None, 2019, 2020], *records], ["B1:C1"])
    assert list(released(cli, tmp_path)[0]) == ["age", "sales 2019", "sales 2020"]


DAYS = [date(1980, 1, 1 + number % 28) for number in range(40)]
MOMENTS = [datetime(1980, 1, 1 + number % 28, 12 * (number % 3 == 0), 30 * (number % 3 == 0)) for number in range(40)]
DATES: dict[str, tuple[list[Any], list[Any]]] = {
    "typed day first": ([f"{day:%d.%m.%Y}" for day in DAYS], DAYS),
    "typed month first": ([f"{day:%m/%d/%Y}" for day in DAYS], DAYS),
    "typed in ISO form": ([f"{day:%Y-%m-%d}" for day in DAYS], DAYS),
    "some typed": ([day if number % 3 else f"{day:%d.%m.%Y}" for number, day in enumerate(DAYS)], DAYS),
    "some typed in ISO form": ([day if number % 3 else f"{day:%Y-%m-%d}" for number, day in enumerate(DAYS)], DAYS),
    "some missing": (
        [None if number == 5 else f"{day:%d.%m.%Y}" for number, day in enumerate(DAYS)],
        [*DAYS[:5], None, *DAYS[6:]],
    ),
    "some with a time": ([day if day.hour else day.date() for day in MOMENTS], MOMENTS),
    "typed, some with a time": ([f"{day:%d.%m.%Y %H:%M}" if day.hour else f"{day:%d.%m.%Y}" for day in MOMENTS], MOMENTS),
    "typed in ISO form, some with a time": (
        [f"{day:%Y-%m-%d %H:%M:%S}" if day.hour else f"{day:%Y-%m-%d}" for day in MOMENTS],
        MOMENTS,
    ),
    "no such day": (
        [f"{day:%d.%m.%Y}" for day in DAYS[:-1]] + ["31.02.1980"],
        [f"{day:%d.%m.%Y}" for day in DAYS[:-1]] + ["31.02.1980"],
    ),
}


@pytest.mark.parametrize("case", DATES)
def test_dates_that_were_typed_as_text_are_dates(cli: Cli, tmp_path: Path, case: str) -> None:
    cells, expected = DATES[case]
    workbook(tmp_path / "in.xlsx", [["age", "born"], *([20 + number % 5, cell] for number, cell in enumerate(cells))])
    assert Counter(row["born"] for row in released(cli, tmp_path, "--keep", "born")) == Counter(expected)
    assert (
        Counter(row["born"] for row in released(cli, tmp_path, "--keep", "born", "--set", "dates=text", "--overwrite"))
        != Counter()
    )


def test_a_first_name_with_a_line_break_behind_a_byte_order_mark_is_one_name(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_bytes(b'\xef\xbb\xbf"Cost\n(EUR)",age\n' + b"1,20\n2,21\n" * 5)
    cli("anonymize", "in.csv", "--qi", "age", "--others", "keep", "--k", "5", "-o", "out.parquet", code=0)
    assert Counter(tuple(row.values()) for row in read_rows(tmp_path / "out.parquet")) == {(1, 20): 5, (2, 21): 5}
