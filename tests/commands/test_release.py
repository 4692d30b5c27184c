"""Releases: k-anonymous by an independent count, independent of the order of rows, and never partial."""

import json
import math
import os
import random
import shutil
from collections import Counter
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from duckanon.engine.protocol import Engine, Settings
from duckanon.errors import OutputError, VerificationFailed
from duckanon.job.options import Options
from duckanon.release import verify as release_verify
from duckanon.release import write as release_write
from duckanon.release.recoding import Recoding
from tests.support import levels
from tests.support.damage import change_drafts
from tests.support.rows import multiset, read_rows, write_parquet, write_table
from tests.support.runs import anonymize
from tests.support.settings import options_of

PEOPLE = [
    {
        "age": 17 + number % 40,
        "sex": "Female" if number % 3 else "Male",
        "illness": f"ill{number % 7}",
        "name": f"person {number}",
    }
    for number in range(400)
]
OPTIONS: dict[str, Any] = {
    "qi": ["age", "sex"],
    "hierarchies": ["adult/five-year"],
    "sensitive": ["illness"],
    "identifying": ["name"],
    "k": 5,
}


def released(folder: Path, rows: list[dict[str, Any]], output: str = "out.parquet", **options: Any) -> dict[str, Any]:
    source = write_parquet(folder / "in.parquet", rows)
    return anonymize(source, folder / output, options=options_of(**{**OPTIONS, **options}), overwrite=True)


def test_the_identifying_column_is_gone_and_the_rest_is_as_decided(tmp_path: Path) -> None:
    manifest = released(tmp_path, PEOPLE)
    rows = read_rows(tmp_path / "out.parquet")
    assert list(rows[0]) == ["age", "sex", "illness"]
    assert min(Counter((row["age"], row["sex"]) for row in rows).values()) >= 5
    assert len(rows) == manifest["rows"]["released"]
    assert json.loads((tmp_path / "out.parquet.manifest.json").read_text())["output"] == manifest["output"]
    assert not list(tmp_path.glob(".*")), "temporary files are left"


def test_types_are_kept_where_nothing_was_generalized(tmp_path: Path) -> None:
    rows = [{**row, "born": date(1990, 2, 3), "pay": 1.5} for row in PEOPLE]
    released(tmp_path, rows, keep=["born", "pay"], levels={"age": 0, "sex": 1}, max_suppression="100%")
    assert [str(field.type) for field in pq.read_schema(tmp_path / "out.parquet")] == [
        "int64",
        "string",
        "string",
        "date32[day]",
        "double",
    ]
    released(tmp_path, rows, keep=["born", "pay"], levels={"age": 1, "sex": 0}, max_suppression="100%")
    assert [str(field.type) for field in pq.read_schema(tmp_path / "out.parquet")] == [
        "string",
        "string",
        "string",
        "date32[day]",
        "double",
    ]


@pytest.mark.slow
def test_the_release_does_not_depend_on_the_order_of_rows_or_on_threads(tmp_path: Path) -> None:
    released(tmp_path, PEOPLE, "first.parquet", max_suppression="5%")
    shuffled = random.Random(1).sample(PEOPLE, len(PEOPLE))
    source = write_parquet(tmp_path / "in.parquet", shuffled)
    for threads in (1, 2, 4):
        anonymize(
            source,
            tmp_path / "second.parquet",
            options=options_of(**OPTIONS, max_suppression="5%"),
            overwrite=True,
            settings=Settings(threads=threads),
        )
        assert multiset(tmp_path / "second.parquet") == multiset(tmp_path / "first.parquet")


def test_rows_are_shuffled_by_default(tmp_path: Path) -> None:
    """Position is a linkage key."""
    rows = [{**row, "illness": f"{number:05}"} for number, row in enumerate(PEOPLE)]
    released(tmp_path, rows, shuffle=False, levels={"age": 4, "sex": 1})
    kept = [row["illness"] for row in read_rows(tmp_path / "out.parquet")]
    assert kept == sorted(kept)
    released(tmp_path, rows, levels={"age": 4, "sex": 1})
    mixed = [row["illness"] for row in read_rows(tmp_path / "out.parquet")]
    assert sorted(mixed) == kept
    assert sum(a == b for a, b in zip(mixed, kept, strict=True)) < 40


def rewrite(path: Path, change: Callable[[list[dict[str, Any]]], list[dict[str, Any]]]) -> None:
    names = pq.read_schema(path).names
    rows = change(read_rows(path))
    pq.write_table(pa.table({name: pa.array([row[name] for row in rows], pa.string()) for name in names}), path)


DAMAGES: dict[str, Callable[[Path], None]] = {
    "one label changed": lambda path: rewrite(path, lambda rows: [{**rows[0], "sex": "Other"}, *rows[1:]]),
    "one row moved to another class": lambda path: rewrite(
        path, lambda rows: [{**rows[0], "sex": "Male" if rows[0]["sex"] == "Female" else "Female"}, *rows[1:]]
    ),
    "one row lost": lambda path: rewrite(path, lambda rows: rows[1:]),
    "one row twice": lambda path: rewrite(path, lambda rows: [*rows, rows[0]]),
    "a label set to NULL": lambda path: rewrite(path, lambda rows: [{**rows[0], "sex": None}, *rows[1:]]),
    "no rows": lambda path: rewrite(path, lambda rows: rows[:0]),
    "an identifying column back": lambda path: pq.write_table(
        pq.read_table(path).append_column("name", pa.array(["x"] * pq.read_metadata(path).num_rows)), path
    ),
    "a column renamed": lambda path: pq.write_table(pq.read_table(path).rename_columns(["age", "sex", "name"]), path),
    "cut short": lambda path: os.truncate(path, path.stat().st_size // 2),
    "gone": lambda path: path.unlink(),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_file_damaged_between_write_and_verify_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    (tmp_path / "out.parquet").write_bytes(b"the old release")
    change_drafts(monkeypatch, DAMAGES[damage])
    with pytest.raises(VerificationFailed) as failure:
        released(tmp_path, PEOPLE)
    assert failure.value.exit_code == 1
    assert failure.value.manifest is not None
    assert failure.value.manifest["status"] == "verification-failed"
    assert failure.value.manifest["rows"]["released"] == 0
    assert not failure.value.manifest["privacy"][0]["passed"]
    assert (tmp_path / "out.parquet").read_bytes() == b"the old release"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.parquet", "out.parquet"]


def exchanged(rows: list[dict[str, Any]], *, same_class: bool) -> list[dict[str, Any]]:
    """The incomes of two rows exchanged, in one class or between two."""
    first = rows[0]
    other = next(
        row
        for row in rows
        if ((row["age"], row["sex"]) == (first["age"], first["sex"])) is same_class
        and row["income"] != first["income"]
        and row["note"] != first["note"]
    )
    cells = {id(first): other["income"], id(other): first["income"]}
    return [{**row, "income": cells.get(id(row), row["income"])} for row in rows]


CELL_DAMAGES: dict[str, tuple[Callable[[list[dict[str, Any]]], list[dict[str, Any]]], str]] = {
    "a column overwritten": (lambda rows: [{**row, "income": 0} for row in rows], "in 'income'"),
    "one cell": (lambda rows: [{**rows[0], "income": rows[0]["income"] + 1}, *rows[1:]], "in 'income'"),
    "one cell without a value": (lambda rows: [{**rows[0], "income": None}, *rows[1:]], "in 'income'"),
    "a blank more": (lambda rows: [{**rows[0], "note": rows[0]["note"] + " "}, *rows[1:]], "in 'note'"),
    "two columns": (lambda rows: [{**rows[0], "note": "", "income": rows[0]["income"] + 1}, *rows[1:]], "in 'note', 'income'"),
    "two cells between classes": (lambda rows: exchanged(rows, same_class=False), "in 'income'"),
    "two cells of a class": (lambda rows: exchanged(rows, same_class=True), "the cells of a column are in other rows"),
}


@pytest.mark.parametrize("damage", CELL_DAMAGES)
def test_a_retained_cell_damaged_between_write_and_verify_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    change, message = CELL_DAMAGES[damage]
    rows = [{**row, "note": f"note {number % 11}", "income": number % 13} for number, row in enumerate(PEOPLE)]

    def damaged(draft: Path) -> None:
        table = pq.read_table(draft)
        schema = pa.schema([field.with_nullable(True) for field in table.schema])
        pq.write_table(pa.Table.from_pylist(change(table.to_pylist()), schema), draft)

    change_drafts(monkeypatch, damaged)
    with pytest.raises(VerificationFailed, match=message) as failure:
        released(tmp_path, rows, keep=["note", "income"])
    assert failure.value.exit_code == 1
    assert len(str(failure.value).splitlines()) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.parquet"]


def test_a_failing_class_is_caught_by_the_labels_of_the_file_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A class below k that the comparison with the source would let pass."""
    write, verify = release_write.write, release_verify.verify

    def forgetting(*arguments: Any, suppresses: bool, **more: Any) -> int:
        assert suppresses, "some rows are to be suppressed here"
        return write(*arguments, suppresses=False, **more)

    def verify_all(engine: Engine, recoding: Recoding, draft: Path, form: Any, _: int, **more: Any) -> Any:
        return verify(engine, recoding, draft, form, len(PEOPLE), **more)

    monkeypatch.setattr(release_write, "write", forgetting)
    monkeypatch.setattr(release_verify, "verify", verify_all)
    monkeypatch.setattr(release_verify, "_differences", lambda *_: None)
    with pytest.raises(VerificationFailed, match="classes of the written file do not satisfy"):
        released(tmp_path, PEOPLE, levels={"age": 0, "sex": 0}, max_suppression="100%")
    assert not (tmp_path / "out.parquet").exists()


def test_an_output_that_appears_meanwhile_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    verify = release_verify.verify

    def racing(*arguments: Any, **more: Any) -> Any:
        (tmp_path / "out.parquet").write_bytes(b"somebody else's")
        return verify(*arguments, **more)

    monkeypatch.setattr(release_verify, "verify", racing)
    source = write_parquet(tmp_path / "in.parquet", PEOPLE)
    with pytest.raises(OutputError, match="appeared"):
        anonymize(source, tmp_path / "out.parquet", options=options_of(**OPTIONS))
    assert (tmp_path / "out.parquet").read_bytes() == b"somebody else's"
    assert not list(tmp_path.glob(".*"))


AWKWARD = ["a b", 'quo"te', "dot.ted", "select", "größe", "new\nline", "{{ x }}", "semi;colon", "a'b", "a_1", "a"]


def test_every_column_name_is_legal(tmp_path: Path) -> None:
    rows = [dict.fromkeys(AWKWARD, f"v{number % 3}") for number in range(30)]
    source = write_parquet(tmp_path / "in.parquet", rows)
    write_table(tmp_path / "values.csv", [[f"v{number}", "*"] for number in range(3)])
    columns = {name: {"role": "quasi-identifier", "hierarchy": str(tmp_path / "values.csv")} for name in AWKWARD}
    for output in ("out.parquet", "out.csv"):
        manifest = anonymize(source, tmp_path / output, job={"columns": columns}, k=5)
        assert manifest["rows"]["released"] == 30
        assert list(manifest["recoding"]["levels"]) == AWKWARD
    assert list(read_rows(tmp_path / "out.parquet")[0]) == AWKWARD


VALUES: dict[str, st.SearchStrategy[Any]] = {
    "text": st.sampled_from(["a", "A", " a", "a ", "", "é", "e\u0301", None, "NULL", "*", "?"]),
    "double": st.sampled_from([0.0, -0.0, math.nan, math.inf, -math.inf, 1e20, 0.1, None]),
    "bigint": st.sampled_from([0, 1, -1, 2**62, -(2**62), None]),
    "boolean": st.sampled_from([True, False, None]),
}
ARROW = {"text": pa.string(), "double": pa.float64(), "bigint": pa.int64(), "boolean": pa.bool_()}


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "output"), levels.spread([*VALUES], ["out.parquet", "out.csv"]))
@given(data=st.data(), k=st.integers(2, 4))
def test_awkward_values_are_counted_as_they_are_printed(
    tmp_path: Path, kind: str, output: str, data: st.DataObject, k: int
) -> None:
    """NULL is a value of its own, NaN one value, -0.0 equals 0.0; the file is judged as text, NULL apart."""
    values = data.draw(st.lists(VALUES[kind], min_size=k, max_size=30))
    source = tmp_path / "in.parquet"
    pq.write_table(pa.table({"q": pa.array(values, ARROW[kind]), "row": list(range(len(values)))}), source)
    texts = (
        duckdb.connect()
        .execute(
            "select distinct cast(q + 0 as varchar) from read_parquet(?)"
            if kind == "double"
            else "select distinct cast(q as varchar) from read_parquet(?)",
            [str(source)],
        )
        .fetchall()
    )
    lines = [[text, "*"] for (text,) in texts if text is not None]
    hierarchy = tmp_path / "h.parquet"
    pq.write_table(
        pa.table({"value": pa.array([line[0] for line in lines], pa.string()), "top": ["*"] * len(lines)}), hierarchy
    )
    options = Options(qi=["q"], keep=["row"], hierarchies=[f"q={hierarchy}"], k=k, max_suppression="100%")
    anonymize(source, tmp_path / output, options=options, overwrite=True)
    reader = (
        "read_parquet(?)"
        if output.endswith("parquet")
        else "read_csv(?, all_varchar = true, header = true, allow_quoted_nulls = false)"
    )
    rows = (
        duckdb.connect()
        .execute(f'select cast(q as varchar), cast("row" as bigint) from {reader}', [str(tmp_path / output)])
        .fetchall()
    )
    assert min(Counter(label for label, _ in rows).values()) >= k
    for label, number in rows:
        value = values[number]
        if label == "*" and value != "*":
            continue
        # NaN is a missing value
        if value is None or label is None or value != value:
            assert label is None
            assert value is None or value != value
        elif kind == "double":
            assert float(label) == value
        elif kind == "boolean":
            assert label == str(value).lower()
        else:
            assert label == str(value)


def test_parquet_metadata_of_the_input_is_not_carried_over(tmp_path: Path) -> None:
    table = pa.Table.from_pylist(PEOPLE).replace_schema_metadata({"owner": "SECRETNAME"})
    pq.write_table(table, tmp_path / "in.parquet")
    anonymize(tmp_path / "in.parquet", tmp_path / "out.parquet", options=options_of(**OPTIONS))
    assert b"SECRETNAME" not in (tmp_path / "out.parquet").read_bytes()
    assert b"person 1" not in (tmp_path / "out.parquet").read_bytes()


def test_wildcards_in_a_path_stand_for_themselves(tmp_path: Path) -> None:
    (tmp_path / "a[1]*").mkdir()
    write_parquet(tmp_path / "a[1]*" / "in?.parquet", PEOPLE)
    shutil.copy(tmp_path / "a[1]*" / "in?.parquet", tmp_path / "a[1]*" / "inx.parquet")
    manifest = anonymize(
        tmp_path / "a[1]*" / "in?.parquet", tmp_path / "a[1]*" / "out[x].parquet", options=options_of(**OPTIONS)
    )
    assert manifest["rows"]["read"] == len(PEOPLE)
