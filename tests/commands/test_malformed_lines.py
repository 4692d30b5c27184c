"""Lines of a CSV file that are no records: refused with line and reason, or left out and counted."""

import json
import re
from pathlib import Path

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


OPTIONS = (
    "--qi",
    "age",
    "--keep",
    "id,ward",
    "--set",
    "accept=key@id",
    "--k",
    "2",
    "-o",
    "out.parquet",
    "--set",
    "output.shuffle=false",
)


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
