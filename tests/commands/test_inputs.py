"""Input: every format gives the same rows, text stays as written, and a fault is one line."""

import base64
import gzip
import json
import os
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow.parquet import encryption

from duckanon.job.options import Options
from tests.support import levels
from tests.support.command_line import Cli, refused
from tests.support.input_forms import (
    ASKED,
    EXPECTED_TYPES,
    FLAT,
    NAMES,
    PEOPLE,
    ROWS,
    SECRET,
    Rows,
    csv_bytes,
    database,
    described,
    doubled,
    kept,
    not_taken,
    options,
    parquet,
    people_csv,
    rows_of,
    with_line,
    written,
)
from tests.support.rows import write_parquet
from tests.support.runs import anonymize


def json_bytes(rows: Rows) -> bytes:
    return "".join(json.dumps(row, default=str) + "\n" for row in rows).encode()


def zstd(content: bytes) -> bytes:
    compressed: bytes = pa.Codec("zstd").compress(content, asbytes=True)
    return compressed


def several(folder: Path) -> str:
    """The rows in three files of unlike size."""
    for number, part in enumerate((ROWS[:1], ROWS[1:100], ROWS[100:])):
        parquet(folder / "parts" / f"part{number}.parquet", part)
    return f"{folder}/parts/*.parquet"


def several_csv(folder: Path) -> str:
    for number, part in enumerate((ROWS[:1], ROWS[1:100], ROWS[100:])):
        written(folder / "parts" / f"part{number}.csv", csv_bytes(part))
    return f"{folder}/parts/*.csv"


def hive(folder: Path, *keys: str) -> Path:
    """The rows parted by keys, which the files themselves do not hold."""
    parts: dict[str, list[dict[str, Any]]] = {}
    for row in ROWS:
        parts.setdefault("/".join(f"{key}={row[key]}" for key in keys), []).append(row)
    for place, rows in parts.items():
        parquet(folder / "hive" / place / "part.parquet", rows, [name for name in NAMES if name not in keys])
    return folder / "hive"


FORMS: dict[str, Callable[[Path], Path | str]] = {
    "Parquet in several files": several,
    "folder": lambda folder: Path(several(folder)).parent,
    "Hive folder by number and text": lambda folder: hive(folder, "year", "sex"),
    "Hive folder by text of digits": lambda folder: hive(folder, "zip"),
    "Hive folder by date": lambda folder: hive(folder, "born"),
    "Hive folder as a pattern": lambda folder: f"{hive(folder, 'year', 'sex')}/*/*/*.parquet",
    "CSV": lambda folder: written(folder / "rows.csv", csv_bytes(ROWS)),
    "CSV in several files": several_csv,
    "TSV": lambda folder: written(folder / "rows.tsv", csv_bytes(ROWS, "\t")),
    "CSV by semicolons": lambda folder: written(folder / "rows.csv", csv_bytes(ROWS, ";")),
    "CSV by bars": lambda folder: written(folder / "rows.csv", csv_bytes(ROWS, "|")),
    "CSV with Windows line ends": lambda folder: written(folder / "rows.csv", csv_bytes(ROWS, end="\r\n")),
    "CSV without a last line end": lambda folder: written(folder / "rows.csv", csv_bytes(ROWS).rstrip(b"\n")),
    "JSON lines": lambda folder: written(folder / "rows.jsonl", json_bytes(ROWS)),
    "JSON lines in gzip": lambda folder: written(folder / "rows.jsonl.gz", gzip.compress(json_bytes(ROWS))),
    "JSON lines in zstd": lambda folder: written(folder / "rows.ndjson.zst", zstd(json_bytes(ROWS))),
    "table": lambda folder: f"{database(folder)}::people",
    "view": lambda folder: f"{database(folder)}::seen",
    "table in a schema": lambda folder: f"{database(folder)}::city.people",
    "table in the schema main": lambda folder: f"{database(folder)}::main.people",
    "table with a name in need of quotes": lambda folder: f'{database(folder)}::odd " name',
    "file://": lambda folder: f"file://{parquet(folder / 'rows.parquet', ROWS)}",
    "file:// with escapes": lambda folder: f"file://{parquet(folder / 'the rows.parquet', ROWS)}".replace(" ", "%20"),
    "name with wildcards": lambda folder: written(folder / "rows [1]*.csv", csv_bytes(ROWS)),
}


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> Counter[tuple[Any, ...]]:
    """The release of one Parquet file."""
    folder = tmp_path_factory.mktemp("expected")
    anonymize(parquet(folder / "rows.parquet", ROWS), folder / "out.parquet", options=options(folder))
    rows = rows_of(folder / "out.parquet")
    assert described(folder / "out.parquet") == EXPECTED_TYPES
    assert rows == Counter(
        (f"[{row['age'] // 5 * 5}, {row['age'] // 5 * 5 + 5})", *(row[name] for name in sorted(NAMES) if name != "age"))
        for row in ROWS
    )
    return rows


@pytest.mark.parametrize("form", FORMS)
def test_the_same_rows_come_in_from_every_form(tmp_path: Path, expected: Counter[tuple[Any, ...]], form: str) -> None:
    out = tmp_path / "out.parquet"
    anonymize(FORMS[form](tmp_path), out, options=options(tmp_path))
    assert described(out) == EXPECTED_TYPES
    assert rows_of(out) == expected


def test_the_same_rows_come_in_without_a_header(tmp_path: Path, expected: Counter[tuple[Any, ...]]) -> None:
    source = written(tmp_path / "rows.csv", csv_bytes(ROWS, header=False))
    anonymize(source, tmp_path / "out.parquet", options=replace(options(tmp_path), set={"names": NAMES}))
    assert described(tmp_path / "out.parquet") == EXPECTED_TYPES
    assert rows_of(tmp_path / "out.parquet") == expected


def order(value: object) -> tuple[bool, Any]:
    return value is None, value if isinstance(value, int | float | Decimal | date) else str(value)


def cells(folder: Path, columns: Sequence[Sequence[str]]) -> list[tuple[str, list[Any]]]:
    """The type and the sorted values of each column of a Parquet release of a CSV file whose columns have these cells."""
    names = [f"cell{number}" for number in range(len(columns))]
    lines = [";".join(("F", *texts)) for texts in zip(*columns, strict=True)]
    out = kept(folder, "\n".join([";".join(("sex", *names)), *lines, ""]).encode(), "out.parquet", keep=names)
    rows = duckdb.connect().execute(f"select {', '.join(names)} from read_parquet(?)", [str(out)]).fetchall()
    types = described(out)
    return [(types[name], sorted(values, key=order)) for name, values in zip(names, zip(*rows, strict=True), strict=True)]


@pytest.mark.parametrize("role", ["kept", "quasi-identifier"])
def test_null_and_the_empty_string_stay_apart_from_csv_to_csv(tmp_path: Path, role: str) -> None:
    lines = ["F,", 'F,""', "F,x", "M,", 'M,""', 'M,""']
    content = "\n".join(["sex,cell", *lines, ""]).encode()
    out = kept(tmp_path, content, "out.csv", qi="sex" if role == "kept" else "cell", keep=["cell" if role == "kept" else "sex"])
    assert out.read_text(encoding="utf-8").splitlines()[0] == "sex,cell"
    assert Counter(out.read_text(encoding="utf-8").splitlines()[1:]) == Counter(lines)


@pytest.mark.parametrize("role", ["kept", "quasi-identifier"])
def test_null_and_the_empty_string_stay_apart_from_csv_to_parquet(tmp_path: Path, role: str) -> None:
    content = b'sex,cell\nF,\nF,""\nF,x\nM,\n'
    out = kept(
        tmp_path, content, "out.parquet", qi="sex" if role == "kept" else "cell", keep=["cell" if role == "kept" else "sex"]
    )
    assert rows_of(out) == Counter([(None, "F"), ("", "F"), ("x", "F"), (None, "M")])


TEXTS = [
    *(("01/02/2020", "2020-01-02"), ("2020-02-30", "2020-01-01"), ("infinity", "2020-01-01")),
    *(("24:00:00", "12:00:00"), ("2020-01-01 00:00:00+02", "2020-01-01 00:00:00")),
    *(("007", "1"), ("+5", "6"), ("1e5", "2"), ("0x1F", "2"), ("1_000", "2"), (" 5", "6"), (".5", "1"), ("5.", "1")),
    *(("99999999999999999999", "1"), ("0.12345678901234567890", "1"), ("9007199254740993", "0.5"), ("1e-04", "0.5")),
    *(("0.5", "12"), ("-0", "1"), ("0.10", "0.125"), ("nan", "1"), ("NULL", "1"), ("null", "NA")),
    *(("True", "false"), ("t", "f"), ("yes", "no")),
]
TYPED: list[tuple[tuple[str, str], str, list[Any]]] = [
    (("2020-12-31", "2021-01-31"), "DATE", [date(2020, 12, 31), date(2021, 1, 31)]),
    (("2020-12-31", ""), "DATE", [date(2020, 12, 31), None]),
    (("31.12.2020", "2021-01-31"), "DATE", [date(2020, 12, 31), date(2021, 1, 31)]),
    (("2020-01-02", "20200103"), "DATE", [date(2020, 1, 2), date(2020, 1, 3)]),
    (("12", "-7"), "BIGINT", [-7, 12]),
    (("0.5", "12.0"), "DOUBLE", [0.5, 12.0]),
    (("0.30000000000000004", "1e-05"), "DOUBLE", [1e-05, 0.30000000000000004]),
    (("1,50", "12,25"), "DECIMAL(18,2)", [Decimal("1.50"), Decimal("12.25")]),
    (("12.50", "-3.00"), "DECIMAL(18,2)", [Decimal("-3.00"), Decimal("12.50")]),
    (("0.10", f"{10**30}.25"), "DECIMAL(38,2)", [Decimal("0.10"), Decimal(f"{10**30}.25")]),
    (("true", "false"), "BOOLEAN", [False, True]),
    (("", ""), "VARCHAR", [None, None]),
    (('""', '""'), "VARCHAR", ["", ""]),
    (('""', "7"), "VARCHAR", ["", "7"]),
]


def test_cells_that_a_type_would_change_stay_text(tmp_path: Path) -> None:
    assert cells(tmp_path, TEXTS) == [("VARCHAR", sorted(texts)) for texts in TEXTS]


def test_cells_that_a_type_keeps_get_it(tmp_path: Path) -> None:
    assert cells(tmp_path, [texts for texts, _, _ in TYPED]) == [(type, values) for _, type, values in TYPED]


def test_numbers_come_out_of_a_csv_release_as_they_are_written(tmp_path: Path) -> None:
    texts = ["1.50", "2", "0.1", "-3.000", "123456789.25", "1e-04", "NA", "9007199254740993"]
    out = kept(tmp_path, b"sex,cell\n" + "".join(f"F,{text}\n" for text in texts).encode(), "out.csv")
    actual = [line.split(",")[1] for line in out.read_text(encoding="utf-8").splitlines()[1:]]
    assert sorted(actual) == sorted(texts)


def test_an_all_empty_column_stays_empty_in_a_csv_release(tmp_path: Path) -> None:
    out = kept(tmp_path, b"sex,cell\nF,\nM,\n", "out.csv")
    assert sorted(out.read_text(encoding="utf-8").splitlines()) == ["F,", "M,", "sex,cell"]


def test_text_with_delimiter_line_breaks_and_quotes_comes_through_csv(tmp_path: Path) -> None:
    texts = ["a,b", "a\nb", "a\r\nb", 'a "b" c', '"', '""', "\t", "'", "\\", "a\\", "#", "", " "]
    content = csv_bytes([{"sex": "F", "cell": text} for text in texts])
    assert rows_of(kept(tmp_path, content, "out.parquet")) == Counter((text, "F") for text in texts)
    again = kept(tmp_path, content, "again.csv")
    actual = duckdb.connect().execute(
        "select cell, sex from read_csv(?, header = true, delim = ',', quote = '\"', escape = '\"', auto_detect = false, "
        "columns = {sex: 'varchar', cell: 'varchar'}, allow_quoted_nulls = false, new_line = '\\n')",
        [str(again)],
    )
    assert Counter(actual.fetchall()) == Counter((text, "F") for text in texts)


@pytest.mark.slow
def test_a_type_that_changes_late_is_read_right(tmp_path: Path) -> None:
    late, numbers = ("n/a", "1.5", "007", "99999999999999999999"), range(60_000)
    assert cells(tmp_path, [[*map(str, numbers), text] for text in late]) == [
        ("VARCHAR", sorted([*map(str, numbers), text])) for text in late
    ]


def flat(folder: Path, keep: Sequence[str]) -> Options:
    """Options that keep every value."""
    (folder / "flat.yaml").write_text(FLAT)
    return Options(qi=["sex"], hierarchies=[f"sex={folder / 'flat.yaml'}"], k=1, levels={"sex": 0}, keep=keep)


def test_files_of_a_pattern_share_their_types(tmp_path: Path) -> None:
    """Numbers in one file, text in the other: text in both."""
    written(tmp_path / "in" / "1.csv", b"sex,cell\nF,1\nF,2\n")
    written(tmp_path / "in" / "2.csv", b"sex,cell\nF,n/a\nF,07\n")
    anonymize(f"{tmp_path}/in/*.csv", tmp_path / "out.parquet", options=flat(tmp_path, ["cell"]))
    assert rows_of(tmp_path / "out.parquet") == Counter((text, "F") for text in ("1", "2", "n/a", "07"))


def test_whole_numbers_in_json_do_not_lose_digits(tmp_path: Path) -> None:
    numbers = [2**53 + 1, 2**62 + 1, -(2**63)]
    source = written(tmp_path / "in.jsonl", json_bytes([{"sex": "F", "cell": number} for number in numbers]))
    anonymize(source, tmp_path / "out.parquet", options=flat(tmp_path, ["cell"]))
    assert rows_of(tmp_path / "out.parquet") == Counter((number, "F") for number in numbers)


JSON_TEXTS: list[tuple[tuple[str, str], list[Any]]] = [
    (("2020-01-02", "n/a"), [date(2020, 1, 2), None]),
    (("2020-1-2", "2020-01-03"), [date(2020, 1, 2), date(2020, 1, 3)]),
    (("2020-01-02", "2020-01-02 00:00:00"), ["2020-01-02", "2020-01-02 00:00:00"]),
    (("20:15:00", "8 pm"), ["20:15:00", "8 pm"]),
]


def test_text_in_json_is_read_as_dates_where_it_is_certain_and_else_stays_as_it_is(tmp_path: Path) -> None:
    """JSON has no dates of its own; `dates: text` and `--missing none` keep the text."""
    names = [f"cell{number}" for number in range(len(JSON_TEXTS))]
    lines = [
        {"sex": "F", **dict(zip(names, texts, strict=True))} for texts in zip(*(texts for texts, _ in JSON_TEXTS), strict=True)
    ]
    source = written(tmp_path / "in.jsonl", json_bytes(lines))
    options = flat(tmp_path, names)
    for name, chosen in (("out", options), ("text", replace(options, set={"dates": "text"}, missing=["none"]))):
        anonymize(source, tmp_path / f"{name}.parquet", options=chosen)
        rows = duckdb.connect().execute(f"select {', '.join(names)} from '{tmp_path / name}.parquet'").fetchall()
        expected = [values if name == "out" else list(texts) for texts, values in JSON_TEXTS]
        assert [sorted(column, key=order) for column in zip(*rows, strict=True)] == [
            sorted(each, key=order) for each in expected
        ]


def changed(change: Callable[[dict[str, Any]], dict[str, Any]]) -> list[dict[str, Any]]:
    return [change(row) for row in PEOPLE]


def of_people(*names: str, **more: Any) -> list[dict[str, Any]]:
    return changed(lambda row: {**{name: row[name] for name in names or row}, **more})


def renamed(name: str, other: str) -> list[dict[str, Any]]:
    return changed(lambda row: {(other if key == name else key): row[key] for key in row})


MANY = people_csv(rows=[PEOPLE[number % len(PEOPLE)] for number in range(30_000)])
MANY_JSON = json_bytes([PEOPLE[number % len(PEOPLE)] for number in range(1000)])
OTHER_SCHEMAS: dict[str, tuple[Rows, Sequence[str]]] = {
    "column missing": (of_people("age", "name"), ["'sex'"]),
    "column added": (of_people(pay=SECRET), ["'pay'"]),
    "text for numbers": (changed(lambda row: {**row, "age": f"{SECRET}{row['age']}"}), ["'age'", "string", "int64"]),
    "fractions for numbers": (changed(lambda row: {**row, "age": float(row["age"])}), ["'age'", "double", "int64"]),
    "column renamed": (renamed("age", "years"), ["'age'"]),
    "column in capitals": (renamed("age", "Age"), ["'age'", "'Age'"]),
}
OTHER_CSV: dict[str, tuple[bytes, Sequence[str]]] = {
    "delimiter": (people_csv(";"), ["';'", "','"]),
    "column missing": (people_csv(rows=of_people("age", "sex")), ["age, sex"]),
    "column added": (people_csv(rows=of_people(pay=SECRET)), ["pay"]),
    "another order": (people_csv(rows=of_people("sex", "age", "name")), []),
    "no header": (csv_bytes(PEOPLE, header=False), ["another line"]),
}
WRONG_LINES: dict[str, tuple[bytes, Sequence[str]]] = {
    "too many cells": (with_line(b"20,Male,secret,secret\n", 30), ["line 30", "4", "3"]),
    "too few cells": (with_line(b"20,Male\n", 30), ["line 30", "2", "3"]),
    "late": (with_line(b"20,Male,secret,secret\n", 20_000, MANY), ["line 20000"]),
    "open quote": (with_line(b'20,"Male,secret\n', 30), ["line 30", "quote"]),
    "open quote late": (with_line(b'20,"Male,secret\n', 20_000, MANY), ["line 20000", "quote"]),
    "not UTF-8": (b"age,sex\n20,F\n30,wei\x81\n", ["(line 3)", "UTF-8"]),
    "not UTF-8 late": (with_line(b"20,Male,secret\x81\n", 20_000, MANY), ["line 20000", "UTF-8"]),
    "two encodings": (
        with_line("20,Male,secret\u00e4\n".encode(), 10, with_line(b"20,Male,secret\xe4\n", 20_000, MANY)),
        ["line 20001", "line 10"],
    ),
    "long": (with_line(b"20,Male," + b"x" * 33_000_000 + b"\n", 10), ["longer than 32 MB"]),
}
EMPTY = dict.fromkeys(("in.csv", "in.parquet", "in.jsonl", "in.csv.gz", "in.duckdb"), b"")
NOTHING = {"in.csv.gz": b"", "in.jsonl.gz": b"", "in.csv": b"\n\n", "in.jsonl": b"\n"}
REFUSED: dict[str, tuple[dict[str, bytes | Rows], str, Sequence[str]]] = {
    **{
        f"{name}, {what}": ({"in/1.parquet": PEOPLE, "in/2.parquet": second}, name, ["2.parquet", *phrases, "in/1.parquet"])
        for what, (second, phrases) in OTHER_SCHEMAS.items()
        for name in ("in/*.parquet", "in")
    },
    **{
        f"CSV, {what}": ({"in/1.csv": people_csv(), "in/2.csv": second}, "in/*.csv", ["2.csv", "1.csv", *phrases])
        for what, (second, phrases) in OTHER_CSV.items()
    },
    "a first line of data, which is not printed as names": (
        {"in/1.csv": b"sex,name\nMale,secret1\n", "in/2.csv": b"Female,secret2\nMale,secret3\n"},
        "in/*.csv",
        ["2.csv", "1.csv"],
    ),
    "JSON, column missing": (
        {"in/1.jsonl": json_bytes(PEOPLE), "in/2.jsonl": json_bytes(of_people("age", "name"))},
        "in/*.jsonl",
        ["2.jsonl", "'sex'"],
    ),
    **{what: ({"in.csv": content}, "in.csv", ["in.csv", *phrases]) for what, (content, phrases) in WRONG_LINES.items()},
    **{
        f"JSON line {number}": (
            {"in.jsonl": with_line(b'{"age": 20, "sex": "Male", "name": "secret\n', number, MANY_JSON)},
            "in.jsonl",
            ["in.jsonl", f"line {number}"],
        )
        for number in (12, 900)
    },
    "JSON without records": ({"in.jsonl": b'"secret"\n1\n[1, "secret"]\n'}, "in.jsonl", ["in.jsonl"]),
    "names in another case between JSON lines": (
        {"in.jsonl": json_bytes(PEOPLE[:20]) + json_bytes(changed(lambda row: {key.upper(): row[key] for key in row})[20:])},
        "in.jsonl",
        ["case", "rename"],
    ),
    "a partition called as a column of ours": (
        {f"in/_rows={number}/part.parquet": PEOPLE for number in (1, 2)},
        "in",
        ["'_rows'", "rename"],
    ),
    "mixed kinds": (
        {"in/1.parquet": PEOPLE, "in/2.csv": people_csv()},
        "in",
        ["Parquet (1.parquet)", "CSV (2.csv)", "one kind"],
    ),
    "mixed compression": (
        {"in/1.csv.gz": gzip.compress(people_csv()), "in/2.csv": people_csv()},
        "in",
        ["1.csv.gz", "2.csv", "one kind"],
    ),
    "partitions at unlike depths": (
        {f"in/year={place}/part.parquet": PEOPLE for place in ("2020", "2021/month=1")},
        "in",
        ["year, month", "equally deep"],
    ),
    **{f"no match of {name}": ({}, name, [repr(name), "no file matches"]) for name in ("in/*.parquet", "nowhere/*.csv")},
    **{f"{name} of no bytes": ({name: content}, name, [name, "empty"]) for name, content in EMPTY.items()},
    **{
        f"{name} of nothing": ({name: gzip.compress(content) if name.endswith(".gz") else content}, name, [name])
        for name, content in NOTHING.items()
    },
}
"""Files, the input that they are, and what the message names."""


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_wrong_with_files_is_reported(cli: Cli, tmp_path: Path, case: str) -> None:
    files, name, phrases = REFUSED[case]
    for place, content in files.items():
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            written(tmp_path / place, content)
        else:
            write_parquet(tmp_path / place, [*content])
    not_taken(cli, tmp_path, name, 3, *phrases)


@pytest.mark.parametrize("share", [0.3, 0.9, 0.999])
def test_truncated_parquet_is_refused(cli: Cli, tmp_path: Path, share: float) -> None:
    whole = write_parquet(tmp_path / "in.parquet", PEOPLE).read_bytes()
    written(tmp_path / "in.parquet", whole[: int(len(whole) * share)])
    not_taken(cli, tmp_path, "in.parquet", 3, "in.parquet", "is it complete?")


def test_parquet_that_is_damaged_inside_is_refused(cli: Cli, tmp_path: Path) -> None:
    """The footer stands, the pages are gone."""
    whole = bytearray(write_parquet(tmp_path / "in.parquet", PEOPLE).read_bytes())
    whole[4:600] = b"\xff" * 596
    written(tmp_path / "in.parquet", bytes(whole))
    not_taken(cli, tmp_path, "in.parquet", 3, "in.parquet")


@pytest.mark.parametrize("form", ["csv", "jsonl"])
@pytest.mark.parametrize("share", [0.02, 0.5, 0.95])
def test_truncated_gzip_is_refused(cli: Cli, tmp_path: Path, form: str, share: float) -> None:
    rows = [{**PEOPLE[number % 40], "name": f"{SECRET}{number * 7919 % 100_003}"} for number in range(60_000)]
    whole = gzip.compress(csv_bytes(rows) if form == "csv" else json_bytes(rows))
    written(tmp_path / f"in.{form}.gz", whole[: int(len(whole) * share)])
    not_taken(cli, tmp_path, f"in.{form}.gz", 3, f"in.{form}.gz", "complete")


@pytest.mark.parametrize("form", ["csv.gz", "csv.zst"])
def test_a_file_that_is_not_compressed_is_read_whatever_its_name(cli: Cli, tmp_path: Path, form: str) -> None:
    written(tmp_path / f"in.{form}", people_csv())
    run = cli("anonymize", f"in.{form}", "--qi", "age", "--k", "2", "--json", "-o", "out.parquet")
    assert (run.code, run.manifest["rows"]["read"]) == (0, len(PEOPLE)), run.err


class _Keys(encryption.KmsClient):  # type: ignore[misc]
    """Keys kept in memory."""

    def wrap_key(self, key_bytes: bytes, master_key_identifier: str) -> str:
        return base64.b64encode(master_key_identifier.encode() + b":" + key_bytes).decode()

    def unwrap_key(self, wrapped_key: str, master_key_identifier: str) -> bytes:
        return base64.b64decode(wrapped_key).removeprefix(master_key_identifier.encode() + b":")


def encrypted(path: Path, *, plaintext_footer: bool, columns: Sequence[str]) -> Path:
    table = pa.Table.from_pylist(PEOPLE)
    factory = encryption.CryptoFactory(lambda _: _Keys())
    keys = encryption.EncryptionConfiguration(
        footer_key="footer", column_keys={"column": list(columns)}, plaintext_footer=plaintext_footer
    )
    sealed = factory.file_encryption_properties(encryption.KmsConnectionConfig(), keys)
    with pq.ParquetWriter(path, table.schema, encryption_properties=sealed) as writer:
        writer.write_table(table)
    return path


@pytest.mark.parametrize("columns", [["age", "sex", "name"], ["age"], ["name"]])
@pytest.mark.parametrize("plaintext_footer", [True, False])
def test_encrypted_parquet_is_refused(cli: Cli, tmp_path: Path, plaintext_footer: bool, columns: Sequence[str]) -> None:
    encrypted(tmp_path / "in.parquet", plaintext_footer=plaintext_footer, columns=columns)
    not_taken(cli, tmp_path, "in.parquet", 3, "in.parquet", "encrypted", "decrypt it first")


@pytest.mark.parametrize("form", ["parquet", "jsonl"])
def test_two_columns_of_one_name_are_refused(cli: Cli, tmp_path: Path, form: str) -> None:
    doubled(tmp_path / f"in.{form}", "age", "age")
    not_taken(cli, tmp_path, f"in.{form}", 3, "two columns", "'age'", "rename")


@pytest.mark.parametrize("form", ["parquet", "jsonl"])
@pytest.mark.parametrize("names", [("age", "AGE"), ("age", "Age"), ("AGE", "age")])
def test_names_that_differ_in_case_only_are_refused(cli: Cli, tmp_path: Path, form: str, names: tuple[str, str]) -> None:
    doubled(tmp_path / f"in.{form}", *names)
    not_taken(cli, tmp_path, f"in.{form}", 3, repr(names[0]), repr(names[1]), "case", "rename")


@pytest.mark.parametrize(
    ("form", "name"),
    levels.spread(["csv", "parquet", "jsonl"], ["_rows", "_ROWS", "_height", "_LOSS", "_visit", "_k", "_persons"]),
)
def test_a_column_with_a_name_of_ours_is_refused(cli: Cli, tmp_path: Path, form: str, name: str) -> None:
    doubled(tmp_path / f"in.{form}", "age", name)
    not_taken(cli, tmp_path, f"in.{form}", 3, repr(name), "rename")


@pytest.mark.parametrize(
    ("name", "code", "phrases"),
    [
        ("in.duckdb::poeple", 3, ["no table 'poeple'", "did you mean 'people'?"]),
        ("in.duckdb::city.poeple", 3, ["no table 'city.poeple'", "did you mean 'city.people'?"]),
        ("in.duckdb::zzzzzz", 3, ["no table 'zzzzzz'", "people"]),
        ("in.duckdb", 3, ["in.duckdb::TABLE"]),
        ("in.duckdb::", 2, ["names no table", "in.duckdb::TABLE"]),
        ("on.duckdb::people", 3, ["no such file", "did you mean", "in.duckdb"]),
        ("in.parquet::people", 3, ["in.parquet", "DuckDB"]),
        ("in.txt::people", 3, ["in.txt", "DuckDB"]),
    ],
)
def test_a_table_that_is_not_there_is_reported(cli: Cli, tmp_path: Path, name: str, code: int, phrases: Sequence[str]) -> None:
    file = write_parquet(tmp_path / "in.parquet", PEOPLE)
    (tmp_path / "in.txt").write_text("secret")
    with duckdb.connect(str(tmp_path / "in.duckdb")) as connection:
        connection.execute(f"create table people as from '{file}'")
        connection.execute("create schema city")
        connection.execute("create table city.people as from people")
    not_taken(cli, tmp_path, name, code, *phrases)


def test_a_view_whose_table_is_gone_is_refused(cli: Cli, tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "in.duckdb")) as connection:
        connection.execute("create table gone as select 20 as age, 'Male' as sex, 'secret' as name")
        connection.execute("create view people as from gone")
        connection.execute("drop table gone")
    not_taken(cli, tmp_path, "in.duckdb::people", 3, "in.duckdb")


@pytest.mark.parametrize(
    "name",
    [
        "s3://bucket/in.parquet",
        "https://example.org/in.parquet",
        "S3://bucket/*.csv",
        "gs://bucket/in.csv",
        "hf://datasets/a/b.csv",
    ],
)
def test_what_lies_on_another_machine_is_refused_at_once(cli: Cli, tmp_path: Path, name: str) -> None:
    started = time.process_time()
    not_taken(cli, tmp_path, name, 3, f"{name.partition(':')[0]}://", "another machine", "copy")
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    ("names", "phrases"),
    [
        ("age,sex", ["`names` has 2 columns"]),
        ("age,sex,name,more", ["`names` has 4 columns"]),
        ("age,sex,age", ["`names` has 'age'", "twice"]),
        ("", ["names: needs at least 1 entries"]),
    ],
)
def test_columns_that_do_not_fit_are_the_users_fault(cli: Cli, tmp_path: Path, names: str, phrases: Sequence[str]) -> None:
    written(tmp_path / "in.csv", csv_bytes(PEOPLE, header=False))
    not_taken(cli, tmp_path, "in.csv", 2, *phrases, arguments=(*ASKED, "--set", f"names=[{names}]"))


def test_names_that_stand_in_the_file_already_make_nobody_a_person(cli: Cli, tmp_path: Path) -> None:
    written(tmp_path / "in.csv", b"age;sex;\n20;F;\n30;M;\n")
    not_taken(cli, tmp_path, "in.csv", 3, "holds these names already", arguments=(*ASKED, "--set", "names=[age,sex,more]"))


def test_a_first_row_without_values_is_a_row(cli: Cli, tmp_path: Path) -> None:
    written(tmp_path / "in.csv", b",\n" + b"20,F\n30,M\n" * 20)
    run = cli("anonymize", "in.csv", "--set", "names=[age,sex]", "--qi", "sex", "--k", "1", "--json", "-o", "out.parquet")
    assert (run.code, json.loads(run.out)["rows"]["read"]) == (0, 41)


def test_a_file_that_may_not_be_read_is_reported(cli: Cli, tmp_path: Path) -> None:
    write_parquet(tmp_path / "in.parquet", PEOPLE)
    if os.geteuid() == 0:
        pytest.skip("root reads everything")
    (tmp_path / "in.parquet").chmod(0)
    refused(cli("anonymize", "in.parquet", *ASKED), 3, "in.parquet", "permissions")


def test_a_link_to_nothing_is_reported(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "in.parquet").symlink_to(tmp_path / "gone.parquet")
    not_taken(cli, tmp_path, "in.parquet", 3, "in.parquet")


def test_a_column_that_python_has_no_type_for_is_no_hindrance(tmp_path: Path, cli: Cli) -> None:
    import duckdb

    query = "select 20 + i % 2 as age, timestamptz '2020-01-01 00:00:00+00' as seen, {'a': i} as cell from range(40) t(i)"
    duckdb.execute(f"copy ({query}) to '{tmp_path / 'in.parquet'}'")
    cli("anonymize in.parquet --qi age --hierarchies adult/five-year --keep seen -q -o out.parquet", code=0)
