"""Messages while a table is read: errors, logs and standard output."""

import json
import logging
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd  # type: ignore[import-untyped,unused-ignore]
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from duckanon.errors import DuckanonError
from duckanon.job.options import Options
from tests.support.command_line import Cli
from tests.support.runs import anonymize
from tests.support.tables_of_trust import RecordRow
from tests.trust.attacks.people import JOB, SECRETS, Row, bands, patients, write

NAME = "ZebedeeQuixworth"
HEAD = "name,age,sex\n"
GOOD = "".join(f"Person {number},{20 + number % 30},{'fm'[number % 2]}\n" for number in range(3_000))
TYPES = "columns = {name: 'varchar', age: 'integer', sex: 'varchar'}"
PLAIN = ", auto_detect = false, header = true, delim = ',', quote = '\"', escape = '\"'"
SEX: dict[str, Any] = {"sex": {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}}}
MEAN: dict[str, Any] = SEX | {"age": {"role": "sensitive", "microaggregate": "mean"}}
JSON = "".join(
    json.dumps({"name": f"Person {number}", "age": number % 60, "sex": "fm"[number % 2]}) + "\n" for number in range(300)
)

Fault = tuple[str, bytes, Callable[[Path], object], dict[str, Any]]


def by_duckdb(reader: str, more: str = "") -> Callable[[Path], object]:
    """The naive reader: a script that calls DuckDB and logs what went wrong."""
    return lambda path: duckdb.execute(f"from {reader}('{path}', {TYPES}{more})").fetchall()


def typed(path: Path) -> object:
    return duckdb.execute(f"select cast(age as integer) from read_csv('{path}', all_varchar = true)").fetchall()


def numbers(path: Path) -> object:
    return pd.read_csv(path)["age"].astype(int)


def integers(path: Path) -> object:
    return pa.array(pd.read_csv(path)["age"].astype(str)).cast(pa.int64())


FAULTS: dict[str, Fault] = {
    "a value too many": ("in.csv", f"{HEAD}{GOOD}{NAME},44,f,x\n".encode(), by_duckdb("read_csv"), SEX),
    "a value too few": ("in.csv", f"{HEAD}{GOOD}{NAME}\n".encode(), by_duckdb("read_csv"), SEX),
    "an open quote": ("in.csv", f'{HEAD}{GOOD}"{NAME},44,f\n'.encode(), by_duckdb("read_csv", PLAIN), SEX),
    "text in a number, DuckDB": ("in.csv", f"{HEAD}{GOOD}x,{NAME},f\n".encode(), typed, MEAN),
    "text in a number, pandas": ("in.csv", f"{HEAD}{GOOD}x,{NAME},f\n".encode(), numbers, MEAN),
    "text in a number, Arrow": ("in.csv", f"{HEAD}{GOOD}x,{NAME},f\n".encode(), integers, MEAN),
    "text in a number, JSON": (
        "in.jsonl",
        (JSON + json.dumps({"name": "x", "age": NAME, "sex": "f"}) + "\n").encode(),
        by_duckdb("read_json"),
        MEAN,
    ),
}


def said_by(call: Callable[[], object]) -> str:
    """What a run says that fails, as a log would show it."""
    with pytest.raises((duckdb.Error, ValueError, pa.ArrowException, DuckanonError)) as caught:
        call()
    return f"{type(caught.value).__name__}: {caught.value}"


@pytest.mark.parametrize("fault", FAULTS)
def test_an_error_quotes_a_person(tmp_path: Path, fault: str, record_row: RecordRow) -> None:
    """Naive: the text of the exception of whatever library read the file, as it ends up in a log or a ticket."""
    name, content, naive, columns = FAULTS[fault]
    (tmp_path / name).write_bytes(content)
    before = said_by(lambda: naive(tmp_path / name))
    after = said_by(lambda: anonymize(tmp_path / name, tmp_path / "ours.parquet", job={"columns": columns}))
    assert NAME in before
    assert NAME not in after
    record_row("attacks", channel=f"errors, {fault}", naive="a name quoted", ours="no value")


def test_an_error_of_the_command_line_quotes_nobody(cli: Cli, tmp_path: Path, record_row: RecordRow) -> None:
    """Naive: the traceback of a script. Ours: all that the command line writes of three broken files, at -vv."""
    (tmp_path / "job.json").write_text(json.dumps({"columns": SEX}))
    before, after = 0, 0
    for fault in ("a value too many", "a value too few", "an open quote"):
        name, content, naive, _ = FAULTS[fault]
        (tmp_path / name).write_bytes(content)
        before += NAME in said_by(partial(naive, tmp_path / name))
        run = cli("anonymize", name, "--job", "job.json", "-o", "ours.parquet", "-vv", code=3)
        assert "line 3002" in run.err
        after += NAME in run.out + run.err
    assert before == 3
    assert after == 0
    record_row("attacks", channel="errors, command line", naive=f"a name quoted in {before} of 3", ours=f"{after} of 3")


@pytest.mark.parametrize("where", ["page", "footer", "type"])
def test_a_damaged_parquet_file_quotes_nobody(tmp_path: Path, where: str, record_row: RecordRow) -> None:
    """Naive: a file whose footer is lost is looked at by hand, and its first bytes are put into the ticket."""
    table = pa.table({"name": [NAME] * 3_000, "age": list(range(3_000)), "sex": ["f", "m"] * 1_500})
    pq.write_table(table, tmp_path / "in.parquet", compression="none")
    content = bytearray((tmp_path / "in.parquet").read_bytes())
    if where == "page":
        content[4:24] = b"\xff" * 20
    elif where == "footer":
        content = content[:-100]
    else:
        (tmp_path / "in").mkdir()
        pq.write_table(table.set_column(1, "age", [[NAME] * 3_000]), tmp_path / "in" / "other.parquet")
        (tmp_path / "in" / "one.parquet").write_bytes(content)
    (tmp_path / "in.parquet").write_bytes(content)
    source = tmp_path / ("in" if where == "type" else "in.parquet")
    job = {"columns": {"name": {"role": "insensitive"}} | MEAN}
    before = repr(bytes(content[:200]))
    after = said_by(lambda: anonymize(source, tmp_path / "ours.parquet", job=job))
    assert NAME in before
    assert NAME not in after
    record_row("attacks", channel=f"errors, damaged Parquet, {where}", naive="a name quoted", ours="no value")


@pytest.mark.parametrize("way", [["-vv"], ["--json"]])
def test_a_log_tells_people(
    cli: Cli, tmp_path: Path, way: list[str], caplog: pytest.LogCaptureFixture, record_row: RecordRow
) -> None:
    """Naive: a script that logs its frames at the level for debugging, and the rows that it leaves out as a warning."""
    people = patients(1_000)
    log = logging.getLogger("naive")
    kept = {row["reading"] for row in bands(people)}
    with caplog.at_level(logging.DEBUG, "naive"):
        log.debug("read:\n%s", pd.DataFrame(people).describe(include="all").to_string())
        log.warning("left out: %s", [row for row in people if row["reading"] not in kept])
    write(tmp_path / "people.parquet", people)
    (tmp_path / "job.json").write_text(json.dumps(JOB))
    run = cli("anonymize", "people.parquet", "--job", "job.json", "-o", "ours.parquet", *way, code=0)
    if way == ["-vv"]:
        assert "combinations" in run.err, "the log lists the statements that ran"
    before, after = (told_people(text, people) for text in (caplog.text, run.out + run.err))
    assert set(SECRETS) <= before
    assert after == set()
    record_row("attacks", channel=f"logs, {' '.join(way)}", naive=f"{len(before)} values of people", ours=f"{len(after)}")


def told_people(text: str, people: list[Row]) -> set[str]:
    """Names, codes of places, rare illnesses and readings in a text, but not within a longer number or digest."""
    words = set(re.findall(r"(?<![\w.])[\w.]+(?<!\.)", text))
    values = {value for row in people for value in (row["name"], row["zip"], str(row["reading"]))}
    return {value for value in values if value in (words if value.isdigit() else text)} | {
        secret for secret in SECRETS if secret in text
    }


def test_a_release_on_standard_output_holds_rows_alone(cli: Cli, tmp_path: Path, record_row: RecordRow) -> None:
    """Naive: a script prints its progress, with a row as an example, to where its CSV goes."""
    people = patients(1_000)
    naive = f"reading, first row {people[333]}\n" + "\n".join(",".join(map(str, row.values())) for row in bands(people))
    write(tmp_path / "people.parquet", people)
    (tmp_path / "job.json").write_text(json.dumps(JOB))
    run = cli("anonymize", "people.parquet", "--job", "job.json", "-o", "-", code=0)
    before, after = ({secret for secret in SECRETS if secret in text} for text in (naive, run.out + run.err))
    assert before == set(SECRETS)
    assert after == set()
    record_row("attacks", channel="standard output", naive=f"{len(before)} secrets", ours=f"{len(after)}")


def test_options_are_refused_without_values(tmp_path: Path, record_row: RecordRow) -> None:
    """Naive: `KeyError: [...] not in index`, or an order that lacks a value, names the value. Ours counts it."""
    rows = [{"size": "small", "sex": "f"}] * 30 + [{"size": NAME, "sex": "m"}]
    source = write(tmp_path / "people.parquet", rows)
    before = said_by(lambda: [["small", "large"].index(row["size"]) for row in rows])
    columns = {"size": {"role": "quasi-identifier", "order": ["small", "large"]}}
    options = Options(algorithm="mondrian")
    after = said_by(lambda: anonymize(source, tmp_path / "ours.parquet", job={"columns": columns}, options=options))
    assert NAME in before
    assert NAME not in after
    record_row("attacks", channel="errors, an order that lacks a value", naive="the value quoted", ours="the number of rows")
