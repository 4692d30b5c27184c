"""Hostile tables, hierarchies and flags: every release is the requested one, and every refusal leaves all files unchanged."""

import json
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from tests.support.tables_of_trust import RecordRow
from tests.trust.fuzz import invariants, names, oracle, releases, running, tables, values
from tests.trust.fuzz.hierarchies import Hierarchy
from tests.trust.fuzz.requests import Request, requests
from tests.trust.fuzz.running import Ended
from tests.trust.fuzz.tables import Column, Dress, Table
from tests.trust.fuzz.tally import CASES, Tally, share
from tests.trust.fuzz.values import Kind

_NESTED = [kind for kind in values.IN_DATABASE if kind.is_nested or kind.type == pa.binary()]


def judged(folder: Path, request: Request, ended: Ended) -> bool:
    """Check all invariants of a run of `anonymize`; returns whether there was a release to judge."""
    is_printed = request.output == "-"
    invariants.check(ended, may_print=is_printed)
    assert "verification failed" not in ended.err, ended.err
    if ended.code != 0 or "--dry-run" in request.more:
        invariants.check_untouched(ended, request.beside if ended.code in (0, 1) else ())
        return False
    if "-o" in request.more:
        return False
    place = request.place
    if place:
        invariants.check_companions(ended, place, request.beside)
    else:
        invariants.check_untouched(ended, request.beside)
    manifest = json.loads(ended.after[f"{place}.manifest.json"]) if place else None
    oracle.judge(request, releases.read(folder / place if place else None, request.output, ended.out), manifest)
    return True


def test_a_release_of_any_table_is_what_the_job_requires(tmp_path: Path, record_row: RecordRow) -> None:
    tally = Tally("tables")

    @share(0.25)
    @given(requests())
    def of(request: Request) -> None:
        with running.fresh(tmp_path) as parent:
            folder = parent / request.folder
            folder.mkdir()
            ended = running.run(folder, request.write(folder))
            event(f"exit {ended.code}")
            tally.add(ended.code, judged=judged(folder, request, ended))

    of()
    tally.tell(record_row)


@pytest.mark.parametrize("form", ["parquet", "duckdb"])
def test_nested_values_and_blobs_are_refused_as_quasi_identifiers_by_name(
    tmp_path: Path, record_row: RecordRow, form: tables.Form
) -> None:
    tally = Tally(f"nested values in {form}")

    @share(0.01)
    @given(st.sampled_from(_NESTED), names.lists(1, is_calm=False))
    def of(kind: Kind, called: list[str]) -> None:
        name = called[0].replace("\x00", "") or "x"
        if form == "parquet" and kind.cast is not None:
            kind = _NESTED[0]
        table = Table([Column(name, kind, [kind.pool[number % len(kind.pool)] for number in range(20)])], 20)
        flat = Hierarchy(".yaml", b"kind: flat\n")
        request = Request(table, form, Dress(), is_calm=False, qi=[name], hierarchies={name: flat}, by_job=True)
        with running.fresh(tmp_path) as folder:
            ended = running.run(folder, request.write(folder))
            tally.add(ended.code)
            invariants.check(ended)
            invariants.check_untouched(ended)
            is_reserved = name.casefold() in ("_rows", "_value_1")
            assert ended.code == (3 if is_reserved else 2)
            assert " ".join(repr(name).split()) in ended.err
            assert len(ended.err.splitlines()) == 1

    of()
    tally.tell(record_row)


@pytest.mark.parametrize(("form", "others"), [("parquet", "keep"), ("duckdb", "drop"), ("csv", "drop")])
def test_two_thousand_columns_come_through(tmp_path: Path, form: tables.Form, others: str) -> None:
    # a run takes half a minute for so many
    width = 2_000 if CASES >= 10_000 else 400
    wide = [Column(f"c{number}", values.WHOLE, [row * number % 3 for row in range(20)]) for number in range(1, width)]
    first = Column("sex", values.PLAIN, ["ab"[row % 2] for row in range(20)])
    flat = Hierarchy(".yaml", b"kind: flat\n", {"a": ["a", "*"], "b": ["b", "*"]})
    more = () if others == "drop" else ("--max-suppression", "0")
    request = Request(
        Table([first, *wide], 20),
        form,
        Dress(),
        is_calm=True,
        qi=["sex"],
        hierarchies={"sex": flat},
        keep=["c2"],
        others=others,
        more=more,
    )
    folder = tmp_path / "case"
    folder.mkdir()
    ended = running.run(folder, request.write(folder))
    assert ended.code == 0, ended.err
    assert judged(folder, request, ended)


@pytest.mark.parametrize("form", ["parquet", "csv", "json"])
@pytest.mark.parametrize("rows", [0, 1, 20])
def test_no_columns_or_no_rows_end_in_one_line(tmp_path: Path, form: tables.Form, rows: int) -> None:
    for columns in ([], [Column("sex", values.PLAIN, ["a"] * rows)]):
        folder = tmp_path / f"case{len(columns)}"
        folder.mkdir()
        flat = Hierarchy(".yaml", b"kind: flat\n", {"a": ["a", "*"]})
        request = Request(Table(columns, rows), form, Dress(), is_calm=False, qi=["sex"], hierarchies={"sex": flat}, k=1)
        ended = running.run(folder, request.write(folder))
        assert (ended.code == 0) == bool(columns and rows), ended.err
        judged(folder, request, ended)
